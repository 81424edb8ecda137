// min-jdk: 21
// race: array int[]
// A task on a virtual thread and its submitter write one element.
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

public class VirtualExecutor_race {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.onSpinWait();
    }

    public static void main(String[] args) throws Exception {
        int[] a = new int[1];
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            pool.submit(() -> {
                meet();
                a[0] = 1;
            });
            meet();
            a[0] = 2;
        }
        System.out.println("ok");
    }
}
