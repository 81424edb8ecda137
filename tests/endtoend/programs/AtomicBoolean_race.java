// race: static AtomicBoolean_race.x
// Two spin locks guard one field, each for one thread only.
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

public class AtomicBoolean_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static int x;

    static void lock(AtomicBoolean b) {
        while (!b.compareAndSet(false, true)) Thread.yield();
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        AtomicBoolean a = new AtomicBoolean();
        AtomicBoolean b = new AtomicBoolean();
        Thread t1 = new Thread(() -> {
            meet();
            lock(a);
            x++;
            a.set(false);
        });
        Thread t2 = new Thread(() -> {
            meet();
            lock(b);
            x++;
            b.set(false);
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
