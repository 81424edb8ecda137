// norace
package bench;

/**
 * Red-black successive over-relaxation on a square grid cut into bands of rows, one per worker, with a hand-written
 * monitor barrier between the half sweeps. Hot: elements of double[][], with rows shared at the band borders.
 */
public final class Sor {
    private static final int N = 1000;
    private static final double OMEGA = 1.25;

    /** Reusable barrier on wait/notifyAll; the generation number keeps fast threads out of the next round. */
    static final class MonitorBarrier {
        private final int parties;
        private int waiting;
        private int generation;

        MonitorBarrier(int parties) {
            this.parties = parties;
        }

        synchronized void await() {
            int mine = generation;
            if (++waiting == parties) {
                waiting = 0;
                generation++;
                notifyAll();
                return;
            }
            while (mine == generation) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    static final class Band implements Runnable {
        private final double[][] grid;
        private final int from;
        private final int to;
        private final int sweeps;
        private final MonitorBarrier barrier;

        Band(double[][] grid, int from, int to, int sweeps, MonitorBarrier barrier) {
            this.grid = grid;
            this.from = Math.max(1, from);
            this.to = Math.min(N - 1, to);
            this.sweeps = sweeps;
            this.barrier = barrier;
        }

        @Override
        public void run() {
            for (int sweep = 0; sweep < sweeps; sweep++) {
                relax(0);
                barrier.await();
                relax(1);
                barrier.await();
            }
        }

        /** Updates the points of one colour; their neighbours all have the other colour. */
        private void relax(int colour) {
            for (int i = from; i < to; i++) {
                double[] above = grid[i - 1];
                double[] row = grid[i];
                double[] below = grid[i + 1];
                for (int j = 1 + ((i + colour) & 1); j < N - 1; j += 2) {
                    double sum = above[j] + below[j] + row[j - 1] + row[j + 1];
                    row[j] = OMEGA * 0.25 * sum + (1 - OMEGA) * row[j];
                }
            }
        }
    }

    private Sor() {}

    public static void main(String[] argv) throws InterruptedException {
        Args args = Args.parse(argv, 5200, 200);
        double[][] grid = new double[N][N];
        Rng rng = new Rng(7);
        for (double[] row : grid) {
            for (int j = 0; j < N; j++) {
                row[j] = rng.nextDouble();
            }
        }
        MonitorBarrier barrier = new MonitorBarrier(args.threads);
        Runnable[] workers = new Runnable[args.threads];
        for (int id = 0; id < args.threads; id++) {
            workers[id] = new Band(grid, args.bandStart(N, id), args.bandStart(N, id + 1), args.size, barrier);
        }
        Args.runAll(workers);
        double total = 0;
        for (double[] row : grid) {
            for (double v : row) {
                total += v;
            }
        }
        args.print("Sor", total);
    }
}
