// race: instance InheritedField_race.Base.x
// One thread reaches the inherited field through the subclass, the other through its declaring class.
import java.util.concurrent.atomic.AtomicInteger;

public class InheritedField_race {
    static final AtomicInteger GATE = new AtomicInteger();

    static class Base {
        int x;
    }

    static class Mid extends Base {
    }

    static class Leaf extends Mid {
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Leaf leaf = new Leaf();
        Base base = leaf;
        Thread t1 = new Thread(() -> {
            meet();
            leaf.x = 1;
        });
        Thread t2 = new Thread(() -> {
            meet();
            base.x = 2;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
