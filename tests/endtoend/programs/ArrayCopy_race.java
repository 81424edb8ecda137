// race: array int[]
// System.arraycopy writes elements 2 to 5 while the other thread reads element 4.
import java.util.concurrent.atomic.AtomicInteger;

public class ArrayCopy_race {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        int[] from = new int[8];
        int[] to = new int[8];
        Thread t1 = new Thread(() -> {
            meet();
            System.arraycopy(from, 0, to, 2, 4);
        });
        Thread t2 = new Thread(() -> {
            meet();
            int seen = to[4];
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
