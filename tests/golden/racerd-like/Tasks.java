import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Tasks of executors, and what says that they have ended; or does not. */
class Tasks {
    static void seenTerminatedOk() {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        int[] d = new int[1];
        pool.execute(() -> d[0]++);
        pool.shutdown();
        while (!pool.isTerminated()) Thread.yield();
        d[0]++;
    }
    static void seenShutDownBad() {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        int[] d = new int[1];
        pool.execute(() -> d[0]++);
        pool.shutdown();
        while (!pool.isShutdown()) Thread.yield();
        d[0]++;
    }

    public static void main(String[] args) {
        seenTerminatedOk(); seenShutDownBad();
    }
}
