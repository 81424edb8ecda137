// race: static bench.Tsp.minTour
package bench;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Travelling salesman by branch and bound; workers take partial tours from a shared pool and finish them by
 * depth-first search. Race: the best length so far is written under the lock but read without it while pruning; a
 * stale value only prunes later, so the answer is right. Hot: private int[] and the read-only distance matrix.
 */
public final class Tsp {
    private static final int CITIES = 14;
    private static final int POOL_DEPTH = 4;

    private static final Object MIN_LOCK = new Object();
    /** Length of the shortest complete tour found; written under MIN_LOCK, read anywhere. */
    static int minTour;

    /** A path from city 0 through the first {@code depth} entries. */
    static final class Tour {
        final int[] order;
        final int depth;
        final int length;
        final int visited;

        Tour(int[] order, int depth, int length, int visited) {
            this.order = order;
            this.depth = depth;
            this.length = length;
            this.visited = visited;
        }
    }

    /** Partial tours still to be searched. */
    static final class Pool {
        private final Deque<Tour> tours = new ArrayDeque<>();

        synchronized void put(Tour t) {
            tours.addLast(t);
        }

        synchronized Tour take() {
            return tours.pollFirst();
        }
    }

    /** One worker's search state over a shared map. */
    static final class Searcher implements Runnable {
        private final int[][] dist;
        private final int[] cheapest;
        private final Pool pool;
        private final int[] path = new int[CITIES];

        Searcher(int[][] dist, int[] cheapest, Pool pool) {
            this.dist = dist;
            this.cheapest = cheapest;
            this.pool = pool;
        }

        @Override
        public void run() {
            for (Tour t = pool.take(); t != null; t = pool.take()) {
                int rest = 0;
                for (int c = 0; c < CITIES; c++) {
                    if ((t.visited & 1 << c) == 0) {
                        rest += cheapest[c];
                    }
                }
                System.arraycopy(t.order, 0, path, 0, t.depth);
                search(t.depth, t.length, t.visited, rest);
            }
        }

        /** {@code rest} is a lower bound for entering each city not yet visited. */
        private void search(int depth, int length, int visited, int rest) {
            if (length + rest >= minTour) {
                return;
            }
            int last = path[depth - 1];
            int[] row = dist[last];
            if (depth == CITIES) {
                record(length + row[0]);
                return;
            }
            for (int c = 1; c < CITIES; c++) {
                if ((visited & 1 << c) == 0) {
                    path[depth] = c;
                    search(depth + 1, length + row[c], visited | 1 << c, rest - cheapest[c]);
                }
            }
        }

        private static void record(int length) {
            synchronized (MIN_LOCK) {
                if (length < minTour) {
                    minTour = length;
                }
            }
        }
    }

    private Tsp() {}

    private static int[][] randomMap(long seed) {
        Rng rng = new Rng(seed);
        int[] x = new int[CITIES];
        int[] y = new int[CITIES];
        for (int i = 0; i < CITIES; i++) {
            x[i] = rng.nextInt(1000);
            y[i] = rng.nextInt(1000);
        }
        int[][] dist = new int[CITIES][CITIES];
        for (int i = 0; i < CITIES; i++) {
            for (int j = 0; j < CITIES; j++) {
                dist[i][j] = (int) Math.hypot(x[i] - x[j], y[i] - y[j]);
            }
        }
        return dist;
    }

    private static int[] cheapestEntry(int[][] dist) {
        int[] cheapest = new int[CITIES];
        for (int c = 0; c < CITIES; c++) {
            cheapest[c] = Integer.MAX_VALUE;
            for (int from = 0; from < CITIES; from++) {
                if (from != c) {
                    cheapest[c] = Math.min(cheapest[c], dist[from][c]);
                }
            }
        }
        return cheapest;
    }

    /** Fills the pool with all paths of POOL_DEPTH cities. */
    private static void expand(int[][] dist, Pool pool, Tour t) {
        if (t.depth == POOL_DEPTH) {
            pool.put(t);
            return;
        }
        for (int c = 1; c < CITIES; c++) {
            if ((t.visited & 1 << c) == 0) {
                int[] order = t.order.clone();
                order[t.depth] = c;
                int length = t.length + dist[order[t.depth - 1]][c];
                expand(dist, pool, new Tour(order, t.depth + 1, length, t.visited | 1 << c));
            }
        }
    }

    public static void main(String[] argv) throws InterruptedException {
        Args args = Args.parse(argv, 60, 4);
        long sum = 0;
        for (int map = 0; map < args.size; map++) {
            int[][] dist = randomMap(map + 1);
            int[] cheapest = cheapestEntry(dist);
            Pool pool = new Pool();
            expand(dist, pool, new Tour(new int[CITIES], 1, 0, 1));
            minTour = Integer.MAX_VALUE;
            Runnable[] workers = new Runnable[args.threads];
            for (int id = 0; id < args.threads; id++) {
                workers[id] = new Searcher(dist, cheapest, pool);
            }
            Args.runAll(workers);
            sum += minTour;
        }
        args.print("Tsp", sum);
    }
}
