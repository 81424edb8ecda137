// race: array int[]
// A record's components are final, but the array in one of them is not.
import java.util.concurrent.atomic.AtomicInteger;

public class RecordField_race {
    static final AtomicInteger GATE = new AtomicInteger();

    record Range(int[] bounds) {
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Range r = new Range(new int[2]);
        Thread t1 = new Thread(() -> {
            meet();
            r.bounds()[0] = 1;
        });
        Thread t2 = new Thread(() -> {
            meet();
            r.bounds()[0] = 2;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
