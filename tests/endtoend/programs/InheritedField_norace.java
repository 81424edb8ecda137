// norace
// A subclass hides the field x of its superclass: two variables in one object, one for each thread.
import java.util.concurrent.atomic.AtomicInteger;

public class InheritedField_norace {
    static final AtomicInteger GATE = new AtomicInteger();

    static class Base {
        int x;
    }

    static class Mid extends Base {
    }

    static class Leaf extends Mid {
        int x;
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
            for (int i = 0; i < 1000; i++) leaf.x++;
        });
        Thread t2 = new Thread(() -> {
            meet();
            for (int i = 0; i < 1000; i++) base.x++;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (leaf.x != 1000 || base.x != 1000) throw new AssertionError(leaf.x);
        System.out.println("ok");
    }
}
