// race: static InvokeAll_race.x
// invokeAll waits for the tasks but does not order them among themselves.
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

public class InvokeAll_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static int x;

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Callable<Integer> task = () -> {
            meet();
            return ++x;
        };
        pool.invokeAll(List.of(task, task));
        pool.shutdown();
        System.out.println("ok");
    }
}
