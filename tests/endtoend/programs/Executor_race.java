// race: static Executor_race.x
// The submitter writes after it has submitted, while the task runs.
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

public class Executor_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static int x;

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        Future<?> task = pool.submit(() -> {
            meet();
            x = 1;
        });
        meet();
        x = 2;
        task.get();
        pool.shutdown();
        System.out.println("ok");
    }
}
