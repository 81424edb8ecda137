// race: static InheritedStatic_race.Base.plain
// A static field of a superclass, named through two different subclasses, is one variable.
import java.util.concurrent.atomic.AtomicInteger;

public class InheritedStatic_race {
    static final AtomicInteger GATE = new AtomicInteger();

    static class Base {
        static int plain;
    }

    static class Mid extends Base {
    }

    static class Left extends Mid {
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(() -> {
            meet();
            Left.plain = 1;
        });
        Thread t2 = new Thread(() -> {
            meet();
            Mid.plain = 2;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
