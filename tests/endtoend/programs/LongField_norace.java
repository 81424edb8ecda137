// norace
// The long field is volatile: its accesses are atomic and do not race.
import java.util.concurrent.atomic.AtomicInteger;

public class LongField_norace {
    static final AtomicInteger GATE = new AtomicInteger();
    volatile long x;

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        LongField_norace o = new LongField_norace();
        Thread t1 = new Thread(() -> {
            meet();
            for (int i = 0; i < 1000; i++) o.x = -1L;
        });
        Thread t2 = new Thread(() -> {
            meet();
            for (int i = 0; i < 1000; i++) {
                long seen = o.x;
                if (seen != 0 && seen != -1L) throw new AssertionError(seen);
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
