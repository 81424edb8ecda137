// race: static VolatileOther_race.data
// A volatile write orders only with a read of that field of that object, not of another object.
import java.util.concurrent.atomic.AtomicInteger;

public class VolatileOther_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static int data;
    volatile int flag;

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
        VolatileOther_race one = new VolatileOther_race();
        VolatileOther_race two = new VolatileOther_race();
        Thread t1 = thread(() -> {
            meet();
            data = 1;
            one.flag = 1;
        });
        Thread t2 = thread(() -> {
            meet();
            Thread.sleep(20);
            int seen = two.flag;
            data = 2;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
