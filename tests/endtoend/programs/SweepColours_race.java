// race: array double[]
// The barrier between the two colours is missing: the rows at the border are read while they are written.
import java.util.concurrent.CyclicBarrier;

public class SweepColours_race {
    static final int N = 600;
    static final double[][] GRID = new double[9][N];
    static final CyclicBarrier BARRIER = new CyclicBarrier(2);

    static void relax(int from, int to, int colour) {
        for (int i = from; i < to; i++) {
            double[] above = GRID[i - 1];
            double[] row = GRID[i];
            double[] below = GRID[i + 1];
            for (int j = 1 + ((i + colour) & 1); j < N - 1; j += 2) {
                row[j] = 0.25 * (above[j] + below[j] + row[j - 1] + row[j + 1]);
            }
        }
    }

    static void work(int from, int to) {
        try {
            for (int sweep = 0; sweep < 6; sweep++) {
                relax(from, to, 0);
                relax(from, to, 1);
                BARRIER.await();
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        for (double[] row : GRID) {
            for (int j = 0; j < N; j++) row[j] = j;
        }
        Thread t1 = new Thread(() -> work(1, 4));
        Thread t2 = new Thread(() -> work(4, 8));
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        double sum = 0;
        for (double[] row : GRID) {
            for (double v : row) sum += v;
        }
        if (sum == 0) throw new AssertionError();
        System.out.println("ok");
    }
}
