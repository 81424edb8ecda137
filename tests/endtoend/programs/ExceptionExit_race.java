// race: static ExceptionExit_race.x
// The exception leaves the synchronized block before its handler writes the field.
import java.util.concurrent.atomic.AtomicInteger;

public class ExceptionExit_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static final Object LOCK = new Object();
    static int x;

    static void fail() {
        try {
            synchronized (LOCK) {
                throw new IllegalStateException();
            }
        } catch (IllegalStateException e) {
            x++;
        }
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Runnable work = () -> {
            meet();
            fail();
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
