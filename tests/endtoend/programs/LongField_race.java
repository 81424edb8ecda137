// race: instance LongField_race.x
// Both threads write one long field; a reader could even see half of each value.
import java.util.concurrent.atomic.AtomicInteger;

public class LongField_race {
    static final AtomicInteger GATE = new AtomicInteger();
    long x;

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        LongField_race o = new LongField_race();
        Thread t1 = new Thread(() -> {
            meet();
            o.x = -1L;
        });
        Thread t2 = new Thread(() -> {
            meet();
            o.x = 1L << 40;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
