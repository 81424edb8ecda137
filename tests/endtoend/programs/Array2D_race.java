// race: array int[]
// Both threads write the same element of one row of the matrix.
import java.util.concurrent.atomic.AtomicInteger;

public class Array2D_race {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        int[][] m = new int[8][8];
        Thread t1 = new Thread(() -> {
            meet();
            m[3][3] = 1;
        });
        Thread t2 = new Thread(() -> {
            meet();
            m[3][3] = 2;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
