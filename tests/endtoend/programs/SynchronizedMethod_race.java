// race: static SynchronizedMethod_race.total
// Synchronized methods of two objects hold two locks, but the field is static.
import java.util.concurrent.atomic.AtomicInteger;

public class SynchronizedMethod_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static int total;

    synchronized void add() {
        meet();
        total++;
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        SynchronizedMethod_race a = new SynchronizedMethod_race();
        SynchronizedMethod_race b = new SynchronizedMethod_race();
        Thread t1 = new Thread(() -> {
            a.add();
        });
        Thread t2 = new Thread(() -> {
            b.add();
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
