// race: instance IntField_race.x
// Both threads write one int field and nothing orders them.
import java.util.concurrent.atomic.AtomicInteger;

public class IntField_race {
    static final AtomicInteger GATE = new AtomicInteger();
    int x;

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        IntField_race o = new IntField_race();
        Thread t1 = new Thread(() -> {
            meet();
            o.x = 1;
        });
        Thread t2 = new Thread(() -> {
            meet();
            o.x = 2;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
