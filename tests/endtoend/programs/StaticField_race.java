// race: static StaticField_race.count
// race: static StaticField_race.last
// Both threads write static fields without a lock.
import java.util.concurrent.atomic.AtomicInteger;

public class StaticField_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static int count;
    static Object last;

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(() -> {
            meet();
            count = 1;
            last = args;
        });
        Thread t2 = new Thread(() -> {
            meet();
            count = 2;
            last = null;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
