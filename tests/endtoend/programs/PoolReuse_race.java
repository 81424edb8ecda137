// race: static PoolReuse_race.x
// Waiting for earlier tasks of the pool orders nothing that its threads do later.
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

public class PoolReuse_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static int x;

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        for (int i = 0; i < 100; i++) pool.submit(() -> x++).get();
        Future<?> last = pool.submit(() -> {
            meet();
            x++;
        });
        meet();
        x++;
        last.get();
        pool.shutdown();
        System.out.println("ok");
    }
}
