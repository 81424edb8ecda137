// norace
// Accesses of a volatile field never race, however they interleave.
import java.util.concurrent.atomic.AtomicInteger;

public class BooleanField_norace {
    static final AtomicInteger GATE = new AtomicInteger();
    volatile boolean done;

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        BooleanField_norace o = new BooleanField_norace();
        Thread t1 = new Thread(() -> {
            meet();
            for (int i = 0; i < 1000; i++) o.done = !o.done;
        });
        Thread t2 = new Thread(() -> {
            meet();
            for (int i = 0; i < 1000; i++) o.done = (i & 1) == 0;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
