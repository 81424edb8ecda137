// race: array java.lang.Object[]
// One thread stores into an element of the Object array, the other loads it.
import java.util.concurrent.atomic.AtomicInteger;

public class ObjectArray_race {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Object[] a = new Object[2];
        Thread t1 = new Thread(() -> {
            meet();
            a[1] = args;
        });
        Thread t2 = new Thread(() -> {
            meet();
            Object seen = a[1];
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
