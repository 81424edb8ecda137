// norace
// Each task is submitted after the one before has been waited for, whichever thread runs it.
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class PoolReuse_norace {
    static int x;

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        for (int i = 0; i < 500; i++) {
            pool.submit(() -> x++).get();
            x++;
        }
        pool.shutdown();
        if (x != 1000) throw new AssertionError(x);
        System.out.println("ok");
    }
}
