// race: static AtomicArray_race.data
// A write to one element of the atomic array and a read of another order nothing.
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

public class AtomicArray_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static final AtomicIntegerArray FLAGS = new AtomicIntegerArray(4);
    static int data;

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    interface Body {
        void run() throws Exception;
    }

    static Thread thread(Body body) {
        return new Thread(() -> {
            try {
                body.run();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    public static void main(String[] args) throws Exception {
        Thread t1 = thread(() -> {
            meet();
            data = 1;
            FLAGS.set(1, 1);
        });
        Thread t2 = thread(() -> {
            meet();
            Thread.sleep(20);
            FLAGS.get(2);
            data = 2;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
