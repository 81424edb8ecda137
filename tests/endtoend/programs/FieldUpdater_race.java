// race: static FieldUpdater_race.data
// The updater writes the field of one object and reads that of another: no order.
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

public class FieldUpdater_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static final AtomicIntegerFieldUpdater<FieldUpdater_race> INT =
            AtomicIntegerFieldUpdater.newUpdater(FieldUpdater_race.class, "i");
    volatile int i;
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
        FieldUpdater_race one = new FieldUpdater_race();
        FieldUpdater_race two = new FieldUpdater_race();
        INT.set(one, INT.get(two));
        Thread t1 = thread(() -> {
            meet();
            data = 1;
            INT.set(one, 1);
        });
        Thread t2 = thread(() -> {
            meet();
            Thread.sleep(20);
            INT.get(two);
            data = 2;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
