// race: static Reentrant_race.x
// The field is written after the outermost of several entries of the same monitor was left.
import java.util.concurrent.atomic.AtomicInteger;

public class Reentrant_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static final Object LOCK = new Object();
    static int x;

    static void enter(int depth) {
        synchronized (LOCK) {
            if (depth > 0) enter(depth - 1);
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
            enter(3);
            x++;
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
