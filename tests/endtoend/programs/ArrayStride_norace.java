// norace
// One thread works on the even elements, the other on the odd ones.
import java.util.concurrent.atomic.AtomicInteger;

public class ArrayStride_norace {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        int[] a = new int[600];
        Thread t1 = new Thread(() -> {
            meet();
            for (int n = 0; n < 10; n++) {
                for (int i = 0; i < a.length; i += 2) a[i]++;
            }
        });
        Thread t2 = new Thread(() -> {
            meet();
            for (int n = 0; n < 10; n++) {
                for (int i = 1; i < a.length; i += 2) a[i]++;
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (a[0] != 10 || a[599] != 10) throw new AssertionError(a[0]);
        System.out.println("ok");
    }
}
