// race: static NestedLocks_race.x
// Each thread holds two locks, but no lock is common to both.
import java.util.concurrent.atomic.AtomicInteger;

public class NestedLocks_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static final Object A = new Object(), B = new Object(), C = new Object(), D = new Object();
    static int x;

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(() -> {
            synchronized (A) {
                synchronized (B) {
                    meet();
                    x++;
                }
            }
        });
        Thread t2 = new Thread(() -> {
            synchronized (C) {
                synchronized (D) {
                    meet();
                    x++;
                }
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
