// race: instance RefField_race.ref
// One thread stores a reference, the other loads it, unordered.
import java.util.concurrent.atomic.AtomicInteger;

public class RefField_race {
    static final AtomicInteger GATE = new AtomicInteger();
    Object ref;

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        RefField_race o = new RefField_race();
        Thread t1 = new Thread(() -> {
            meet();
            o.ref = args;
        });
        Thread t2 = new Thread(() -> {
            meet();
            Object seen = o.ref;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
