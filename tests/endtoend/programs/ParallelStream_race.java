// race: static ParallelStream_race.x
// The two elements are handled by two threads, and both write one field.
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

public class ParallelStream_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static int x;

    static void bump(int i) {
        meet();
        x += i;
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(2);
        pool.submit(() -> IntStream.range(0, 2).parallel().forEach(ParallelStream_race::bump)).get();
        pool.shutdown();
        System.out.println("ok");
    }
}
