// Threads of one loop that share out an array by their numbers.  ...Ok: no element is in two shares; ...Bad: one is.
public class Bands {
    static final int N = 1000;
    static final class Cell {
        int v;
    }

    static final class Config {
        final int threads;

        Config(int threads) {
            this.threads = threads;
        }

        int share(int n, int id) {
            return (int) ((long) n * id / threads);
        }
    }

    /** A Runnable that keeps its ends. */
    static final class Part implements Runnable {
        final int[] a;
        final int from, to;

        Part(int[] a, int from, int to) {
            this.a = a;
            this.from = Math.max(1, from);
            this.to = Math.min(N - 1, to);
        }

        public void run() {
            for (int i = from; i < to; i++) a[i]++;
        }
    }

    /** The same, but the ends change later. */
    static final class Moved implements Runnable {
        final int[] a;
        int from, to;

        Moved(int[] a, int from, int to) {
            this.a = a;
            this.from = from;
            this.to = to;
        }

        public void run() {
            for (int i = from; i < to; i++) a[i]++; // race
        }
    }

    static final class Worker extends Thread {
        final long[] a;
        final int id;

        Worker(long[] a, int id) {
            this.a = a;
            this.id = id;
        }

        @Override
        public void run() {
            a[id]++;
            a[id + 1]++; // race: the next one's
        }
    }

    static void sharesOk(Config c) throws InterruptedException {
        int[] a = new int[N];
        Runnable[] parts = new Runnable[c.threads];
        for (int id = 0; id < c.threads; id++) parts[id] = new Part(a, c.share(N, id), c.share(N, id + 1));
        Thread[] ts = new Thread[parts.length];
        for (int i = 0; i < parts.length; i++) {
            ts[i] = new Thread(parts[i]);
            ts[i].start();
        }
        for (Thread t : ts) t.join();
    }

    static void movedBad(Config c) throws InterruptedException {
        int[] a = new int[N];
        Moved[] parts = new Moved[c.threads];
        for (int id = 0; id < c.threads; id++) parts[id] = new Moved(a, c.share(N, id), c.share(N, id + 1));
        parts[0].to = N;
        Thread[] ts = new Thread[parts.length];
        for (int i = 0; i < parts.length; i++) {
            ts[i] = new Thread(parts[i]);
            ts[i].start();
        }
        for (Thread t : ts) t.join();
    }

    static void lambdaOk(Config c) throws InterruptedException {
        int[] a = new int[N];
        Thread[] ts = new Thread[c.threads];
        for (int id = 0; id < c.threads; id++) {
            int from = c.share(N, id), to = c.share(N, id + 1);
            ts[id] = new Thread(() -> {
                for (int i = from; i < to; i++) a[i]++;
            });
        }
        for (Thread t : ts) t.start();
        for (Thread t : ts) t.join();
    }

    static void overlapBad(Config c) throws InterruptedException {
        int[] a = new int[N];
        Thread[] ts = new Thread[c.threads];
        for (int id = 0; id < c.threads; id++) {
            int from = c.share(N, id), to = c.share(N, id + 1);
            ts[id] = new Thread(() -> {
                for (int i = from; i <= to; i++) a[i]++; // race: one too far
            });
            ts[id].start();
        }
        for (Thread t : ts) t.join();
    }

    static void chunkOk() throws InterruptedException {
        int[] a = new int[N];
        Thread[] ts = new Thread[4];
        for (int id = 0; id < 4; id++) {
            int mine = id;
            ts[id] = new Thread(() -> {
                int from = mine * 250;
                for (int i = 0; i < 250; i++) a[from + i]++;
            });
            ts[id].start();
        }
        for (Thread t : ts) t.join();
    }

    static void chunkBad() throws InterruptedException {
        int[] a = new int[N];
        Thread[] ts = new Thread[4];
        for (int id = 0; id < 4; id++) {
            int mine = id;
            ts[id] = new Thread(() -> {
                int from = mine * 249;
                for (int i = 0; i < 250; i++) a[from + i]++; // race: chunks are one too long
            });
            ts[id].start();
        }
        for (Thread t : ts) t.join();
    }

    /** Nothing says that id * chunk does not wrap around. */
    static void wrapBad(int[] a, int threads, int chunk) throws InterruptedException {
        Thread[] ts = new Thread[threads];
        for (int id = 0; id < threads; id++) {
            int from = id * chunk;
            ts[id] = new Thread(() -> {
                for (int i = from; i < from + chunk; i++) a[i]++; // race, if chunk is large enough
            });
            ts[id].start();
        }
        for (Thread t : ts) t.join();
    }

    /** The last thread takes the rest that the division leaves. */
    static void restOk(Config c, int[] a) throws InterruptedException {
        int chunk = a.length / c.threads;
        Thread[] ts = new Thread[c.threads];
        for (int id = 0; id < c.threads; id++) {
            int from = id * chunk, to = id == c.threads - 1 ? a.length : (id + 1) * chunk;
            ts[id] = new Thread(() -> {
                for (int i = from; i < to; i++) a[i]++;
            });
            ts[id].start();
        }
        for (Thread t : ts) t.join();
    }

    static void restBad(Config c, int[] a) throws InterruptedException {
        int chunk = a.length / c.threads;
        Thread[] ts = new Thread[c.threads];
        for (int id = 0; id < c.threads; id++) {
            int from = id * chunk, to = id == c.threads - 2 ? a.length : (id + 1) * chunk;
            ts[id] = new Thread(() -> {
                for (int i = from; i < to; i++) a[i]++; // race: the last but one takes the rest, too
            });
            ts[id].start();
        }
        for (Thread t : ts) t.join();
    }

    static void cellsOk(Config c) throws InterruptedException {
        Cell[] cells = new Cell[N];
        for (int i = 0; i < N; i++) cells[i] = new Cell();
        Thread[] ts = new Thread[c.threads];
        for (int id = 0; id < c.threads; id++) {
            int from = c.share(N, id), to = c.share(N, id + 1);
            ts[id] = new Thread(() -> {
                for (int i = from; i < to; i++) visit(cells, i);
            });
            ts[id].start();
        }
        for (Thread t : ts) t.join();
    }

    static void visit(Cell[] cells, int i) {
        cells[i].v++;
    }

    static void neighbourBad() throws InterruptedException {
        long[] a = new long[10];
        Worker[] ts = new Worker[4];
        for (int id = 0; id < 4; id++) {
            ts[id] = new Worker(a, id);
            ts[id].start();
        }
        for (Worker t : ts) t.join();
    }

    /** The second loop's threads meet the first one's. */
    static void twiceBad() {
        byte[] a = new byte[10];
        for (int round = 0; round < 2; round++) {
            for (int id = 0; id < 4; id++) {
                int mine = id;
                new Thread(() -> a[mine]++).start(); // race
            }
        }
    }

    /** Counting down, and in steps: not understood, but no race either. */
    static void FP_downwards() throws InterruptedException {
        short[] a = new short[10];
        for (int id = 3; id >= 0; id--) {
            int mine = id;
            new Thread(() -> a[mine]++).start(); // no race
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Config c = new Config(args.length + 4);
        sharesOk(c);
        movedBad(c);
        lambdaOk(c);
        overlapBad(c);
        chunkOk();
        chunkBad();
        wrapBad(new int[N], args.length + 4, args.length + 250);
        restOk(c, new int[N + args.length]);
        restBad(c, new int[N + args.length]);
        cellsOk(c);
        neighbourBad();
        twiceBad();
        FP_downwards();
    }
}
