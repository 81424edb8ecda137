// norace
// The rows are shared out; the outer array is only read.
import java.util.concurrent.atomic.AtomicInteger;

public class Array2D_norace {
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
            for (int r = 0; r < 8; r += 2) {
                for (int c = 0; c < 8; c++) m[r][c] += r * c;
            }
        });
        Thread t2 = new Thread(() -> {
            meet();
            for (int r = 1; r < 8; r += 2) {
                for (int c = 0; c < 8; c++) m[r][c] += r * c;
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (m[7][7] != 49 || m[6][6] != 36) throw new AssertionError(m[7][7]);
        System.out.println("ok");
    }
}
