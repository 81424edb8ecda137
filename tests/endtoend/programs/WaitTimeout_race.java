// race: static WaitTimeout_race.data
// After a timed wait has ended and the lock was left, nothing orders the two writes.
import java.util.concurrent.atomic.AtomicInteger;

public class WaitTimeout_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static final Object LOCK = new Object();
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
            synchronized (LOCK) {
                LOCK.wait(20);
            }
            data = 1;
        });
        Thread t2 = thread(() -> {
            meet();
            synchronized (LOCK) {
                LOCK.notifyAll();
            }
            data = 2;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
