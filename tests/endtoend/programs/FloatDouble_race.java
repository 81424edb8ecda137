// race: instance FloatDouble_race.f
// race: instance FloatDouble_race.d
// Both threads write a float and a double field without a lock.
import java.util.concurrent.atomic.AtomicInteger;

public class FloatDouble_race {
    static final AtomicInteger GATE = new AtomicInteger();
    float f;
    double d;

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        FloatDouble_race o = new FloatDouble_race();
        Thread t1 = new Thread(() -> {
            meet();
            o.f = 1;
            o.d = 1;
        });
        Thread t2 = new Thread(() -> {
            meet();
            o.f = 2;
            o.d = 2;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
