// race: static Scheduled_race.x
// The caller writes after it has scheduled the task.
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

public class Scheduled_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static int x;

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
        Future<?> task = pool.schedule(() -> {
            meet();
            x = 1;
        }, 1, TimeUnit.MILLISECONDS);
        meet();
        x = 2;
        task.get();
        pool.shutdown();
        System.out.println("ok");
    }
}
