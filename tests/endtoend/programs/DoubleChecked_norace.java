// norace
// Double-checked locking with a volatile field publishes the whole object.
import java.util.concurrent.atomic.AtomicInteger;

public class DoubleChecked_norace {
    static final AtomicInteger GATE = new AtomicInteger();

    static class Helper {
        int value = 42;
    }

    static volatile Helper instance;

    static Helper get() {
        Helper h = instance;
        if (h == null) {
            synchronized (DoubleChecked_norace.class) {
                h = instance;
                if (h == null) instance = h = new Helper();
            }
        }
        return h;
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Runnable work = () -> {
            meet();
            for (int i = 0; i < 100; i++) {
                if (get().value != 42) throw new AssertionError();
            }
        };
        Thread t1 = new Thread(work);
        Thread t2 = new Thread(work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
