// race: static RacyFlag_race.ready
// may: static RacyFlag_race.data
// A plain flag announces the data. The accesses of the flag race; those of the data too, unless the read of the flag
// is taken for an order.
import java.util.concurrent.atomic.AtomicInteger;

public class RacyFlag_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static boolean ready;
    static int data;

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(() -> {
            meet();
            data = 42;
            ready = true;
        });
        Thread t2 = new Thread(() -> {
            meet();
            int seen = ready ? data : 0;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
