// norace
package bench;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/**
 * Power iteration with a sparse matrix in compressed rows; each worker multiplies a band of rows, the barrier action
 * norms the result and swaps the vectors. Hot: indirect reads of a shared double[], writes to disjoint ranges.
 */
public final class SparseMatrix {
    private static final int ROWS = 50_000;
    private static final int PER_ROW = 20;

    private final int[] rowStart = new int[ROWS + 1];
    private final int[] column;
    private final double[] value;
    /** Swapped by the barrier action only; the barrier orders that with the workers' reads. */
    private double[] x = new double[ROWS];
    private double[] y = new double[ROWS];
    private double norm;
    private final double[] partialMax;
    private final CyclicBarrier multiplied;
    private final CyclicBarrier scaled;
    private final Args args;

    private SparseMatrix(Args args) {
        this.args = args;
        Rng rng = new Rng(17);
        for (int r = 0; r < ROWS; r++) {
            rowStart[r + 1] = rowStart[r] + PER_ROW / 2 + rng.nextInt(PER_ROW);
        }
        column = new int[rowStart[ROWS]];
        value = new double[rowStart[ROWS]];
        for (int k = 0; k < column.length; k++) {
            column[k] = rng.nextInt(ROWS);
            value[k] = rng.nextDouble();
        }
        for (int r = 0; r < ROWS; r++) {
            x[r] = 1;
        }
        partialMax = new double[args.threads];
        multiplied = new CyclicBarrier(args.threads, this::normAndSwap);
        scaled = new CyclicBarrier(args.threads);
    }

    private void normAndSwap() {
        norm = 0;
        for (double m : partialMax) {
            norm = Math.max(norm, m);
        }
        double[] t = x;
        x = y;
        y = t;
    }

    private void work(int id) {
        int from = args.bandStart(ROWS, id);
        int to = args.bandStart(ROWS, id + 1);
        try {
            for (int i = 0; i < args.size; i++) {
                partialMax[id] = multiply(from, to);
                multiplied.await();
                scale(from, to);
                scaled.await();
            }
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    private double multiply(int from, int to) {
        double[] in = x;
        double[] out = y;
        double max = 0;
        for (int r = from; r < to; r++) {
            double sum = 0;
            for (int k = rowStart[r]; k < rowStart[r + 1]; k++) {
                sum += value[k] * in[column[k]];
            }
            out[r] = sum;
            max = Math.max(max, sum);
        }
        return max;
    }

    private void scale(int from, int to) {
        double inv = 1 / norm;
        double[] v = x;
        for (int r = from; r < to; r++) {
            v[r] *= inv;
        }
    }

    public static void main(String[] argv) throws InterruptedException {
        Args args = Args.parse(argv, 4800, 150);
        SparseMatrix matrix = new SparseMatrix(args);
        Runnable[] workers = new Runnable[args.threads];
        for (int id = 0; id < args.threads; id++) {
            int mine = id;
            workers[id] = () -> matrix.work(mine);
        }
        Args.runAll(workers);
        double sum = 0;
        for (double v : matrix.x) {
            sum += v;
        }
        args.print("SparseMatrix", sum);
    }
}
