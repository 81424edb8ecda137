package bench;

import java.util.Locale;

/** Command line common to all kernels: {@code [--small | --fast] [--threads N] [SIZE]}. */
final class Args {
    final int threads;
    final int size;

    private Args(int threads, int size) {
        this.threads = threads;
        this.size = size;
    }

    /** {@code normal} is the size of a benchmark run, {@code small} that of a quick test run, "fast" lies between. */
    static Args parse(String[] argv, int normal, int small) {
        int threads = 2;
        int size = normal;
        for (int i = 0; i < argv.length; i++) {
            if (argv[i].equals("--small")) {
                size = small;
            } else if (argv[i].equals("--fast")) {
                size = Math.max(small, normal / 4);
            } else if (argv[i].equals("--threads")) {
                threads = Integer.parseInt(argv[++i]);
            } else {
                size = Integer.parseInt(argv[i]);
            }
        }
        if (threads < 1 || size < 1) {
            throw new IllegalArgumentException("threads and size must be positive");
        }
        return new Args(threads, size);
    }

    /** First index of the band that worker {@code id} owns when {@code n} items are shared evenly. */
    int bandStart(int n, int id) {
        return (int) ((long) n * id / threads);
    }

    /** Runs the workers to their end; a worker that dies takes the kernel down with a bad exit code. */
    static void runAll(Runnable[] workers) throws InterruptedException {
        Thread[] threads = new Thread[workers.length];
        for (int i = 0; i < workers.length; i++) {
            threads[i] = new Thread(workers[i], "worker-" + i);
            threads[i].setUncaughtExceptionHandler((t, e) -> {
                e.printStackTrace();
                Runtime.getRuntime().halt(2);
            });
            threads[i].start();
        }
        for (Thread t : threads) {
            t.join();
        }
    }

    /** The one line of output: the same in every run with the same arguments. */
    void print(String kernel, double checksum) {
        System.out.println(String.format(Locale.ROOT, "%s threads=%d size=%d checksum=%.6e", kernel, threads, size, checksum));
    }

    void print(String kernel, long checksum) {
        System.out.println(kernel + " threads=" + threads + " size=" + size + " checksum=" + checksum);
    }
}
