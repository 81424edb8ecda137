// race: static Semaphore_race.x
// With two permits both threads are inside at once.
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

public class Semaphore_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static int x;

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
        Semaphore permits = new Semaphore(2);
        Body work = () -> {
            permits.acquire();
            meet();
            x++;
            permits.release();
        };
        Thread t1 = thread(work);
        Thread t2 = thread(work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
