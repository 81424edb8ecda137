// race: static Monitor_race.x
// Both threads lock, but not the same object.
import java.util.concurrent.atomic.AtomicInteger;

public class Monitor_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static final Object A = new Object();
    static final Object B = new Object();
    static int x;

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(() -> {
            meet();
            synchronized (A) {
                x++;
            }
        });
        Thread t2 = new Thread(() -> {
            meet();
            synchronized (B) {
                x++;
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
