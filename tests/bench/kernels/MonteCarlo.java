// race: static bench.MonteCarlo.pathsDone
package bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Prices an average-rate option by simulated stock paths, one task per batch of paths, on a fixed thread pool.
 * Race: the progress counter is a plain static that all tasks increment; it is wrong at times, and only shown on
 * demand. The price is not affected: it is summed from the futures. Hot: private objects and arrays of each task.
 */
public final class MonteCarlo {
    private static final int PATHS_PER_TASK = 50;
    private static final int DAYS = 250;
    private static final double SPOT = 100;
    private static final double STRIKE = 102;

    /** How far the run is; increments of two tasks may be lost against each other. */
    static int pathsDone;

    /** Model parameters, built once and shared by all tasks. */
    static final class Market {
        private final double drift;
        private final double deviation;

        Market(double rate, double volatility) {
            drift = (rate - 0.5 * volatility * volatility) / DAYS;
            deviation = volatility / Math.sqrt(DAYS);
        }

        void fill(double[] path, Rng rng) {
            double price = SPOT;
            for (int day = 0; day < path.length; day++) {
                price *= Math.exp(drift + deviation * rng.nextGaussian());
                path[day] = price;
            }
        }
    }

    static final class Batch implements Callable<Double> {
        private final Market market;
        private final Rng rng;

        Batch(Market market, int id) {
            this.market = market;
            this.rng = new Rng(1000 + id);
        }

        @Override
        public Double call() {
            double sum = 0;
            double[] path = new double[DAYS];
            for (int i = 0; i < PATHS_PER_TASK; i++) {
                market.fill(path, rng);
                sum += payoff(path);
            }
            pathsDone += PATHS_PER_TASK;
            return sum;
        }

        private static double payoff(double[] path) {
            double total = 0;
            for (double price : path) {
                total += price;
            }
            return Math.max(0, total / path.length - STRIKE);
        }
    }

    private MonteCarlo() {}

    public static void main(String[] argv) throws InterruptedException, ExecutionException {
        Args args = Args.parse(argv, 15000, 700);
        Market market = new Market(0.03, 0.2);
        List<Batch> batches = new ArrayList<>();
        for (int id = 0; id < args.size; id++) {
            batches.add(new Batch(market, id));
        }
        ExecutorService pool = Executors.newFixedThreadPool(args.threads);
        double sum = 0;
        for (Future<Double> result : pool.invokeAll(batches)) {
            sum += result.get();
        }
        pool.shutdown();
        if (pathsDone == 0) {
            throw new IllegalStateException("no progress");
        }
        args.print("MonteCarlo", sum / ((double) args.size * PATHS_PER_TASK));
    }
}
