// race: instance SmallFields_race.b
// race: instance SmallFields_race.c
// race: instance SmallFields_race.s
// Both threads write a byte, a char and a short field of one object, unordered.
import java.util.concurrent.atomic.AtomicInteger;

public class SmallFields_race {
    static final AtomicInteger GATE = new AtomicInteger();
    byte b;
    char c;
    short s;

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        SmallFields_race o = new SmallFields_race();
        Thread t1 = new Thread(() -> {
            meet();
            o.b = 1;
            o.c = 'x';
            o.s = 1;
        });
        Thread t2 = new Thread(() -> {
            meet();
            o.b = 2;
            o.c = 'y';
            o.s = 2;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
