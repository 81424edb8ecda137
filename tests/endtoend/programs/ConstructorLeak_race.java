// race: instance ConstructorLeak_race.Leaky.x
// The constructor publishes the object before it has set its field.
import java.util.concurrent.atomic.AtomicInteger;

public class ConstructorLeak_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static volatile Leaky leaked;

    static class Leaky {
        int x;

        Leaky() {
            leaked = this;
            meet();
            x = 42;
        }
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(() -> {
            new Leaky();
        });
        Thread t2 = new Thread(() -> {
            while (leaked == null) Thread.yield();
            Leaky l = leaked;
            meet();
            int seen = l.x;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
