// norace
// Whoever sees that a pool has ended comes after all its tasks, idle as the workers may have been.
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

public class IdleWorkers_norace {
    static int x;

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 40; i++) {
            ExecutorService pool = Executors.newFixedThreadPool(2);
            int before = x;
            pool.execute(() -> x++);
            if (i % 4 == 0) Thread.sleep(5);
            pool.shutdown();
            if (i % 2 == 0) {
                if (!pool.awaitTermination(30, TimeUnit.SECONDS)) throw new AssertionError("not ended");
            } else {
                while (!pool.isTerminated()) Thread.yield();
            }
            if (x != before + 1) throw new AssertionError(x);
        }
        System.out.println("ok");
    }
}
