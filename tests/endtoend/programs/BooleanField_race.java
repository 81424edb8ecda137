// race: instance BooleanField_race.done
// One thread sets the flag, the other reads it, unordered.
import java.util.concurrent.atomic.AtomicInteger;

public class BooleanField_race {
    static final AtomicInteger GATE = new AtomicInteger();
    boolean done;

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        BooleanField_race o = new BooleanField_race();
        Thread t1 = new Thread(() -> {
            meet();
            o.done = true;
        });
        Thread t2 = new Thread(() -> {
            meet();
            boolean seen = o.done;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
