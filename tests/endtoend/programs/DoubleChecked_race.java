// race: static DoubleChecked_race.instance
// may: instance DoubleChecked_race.Helper.value
// Double-checked locking without volatile: the unlocked check races with the store of the other thread, and a Helper
// found by it may be half built.
import java.util.concurrent.atomic.AtomicInteger;

public class DoubleChecked_race {
    static final AtomicInteger GATE = new AtomicInteger();

    static class Helper {
        int value = 42;
    }

    static Helper instance;

    static Helper get() {
        Helper h = instance;
        if (h == null) {
            synchronized (DoubleChecked_race.class) {
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
            int seen = get().value;
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
