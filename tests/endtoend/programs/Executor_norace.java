// norace
// Submitting happens before the task, and the task before Future.get or awaitTermination returns.
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

public class Executor_norace {
    static class Box {
        int v;
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newCachedThreadPool();
        for (int i = 0; i < 100; i++) {
            Box box = new Box();
            box.v = i;
            Future<Box> result = pool.submit(() -> {
                box.v++;
                Box other = new Box();
                other.v = box.v;
                return other;
            });
            if (result.get().v != i + 1 || box.v != i + 1) throw new AssertionError(i);
        }
        Box last = new Box();
        pool.execute(() -> last.v = 5);
        pool.shutdown();
        if (!pool.awaitTermination(30, TimeUnit.SECONDS) || last.v != 5) throw new AssertionError();
        System.out.println("ok");
    }
}
