// norace
// Neighbouring byte, char, short and boolean fields are different variables: each thread has its own.
import java.util.concurrent.atomic.AtomicInteger;

public class SmallFields_norace {
    static final AtomicInteger GATE = new AtomicInteger();
    byte b1, b2;
    char c1, c2;
    short s1, s2;
    boolean z1, z2;

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        SmallFields_norace o = new SmallFields_norace();
        Thread t1 = new Thread(() -> {
            meet();
            for (int i = 0; i < 2000; i++) {
                o.b1++;
                o.c1++;
                o.s1--;
                o.z1 = !o.z1;
            }
        });
        Thread t2 = new Thread(() -> {
            meet();
            for (int i = 0; i < 2000; i++) {
                o.b2++;
                o.c2++;
                o.s2--;
                o.z2 = !o.z2;
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (o.c1 != 2000 || o.c2 != 2000) throw new AssertionError("lost update");
        System.out.println("ok");
    }
}
