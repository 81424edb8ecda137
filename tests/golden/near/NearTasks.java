// Races that stand close to proofs about tasks that have ended.  Each class has one.
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class NearTasks {
    public static void main(String[] args) throws Exception {
        SeenRunning.run(args);
        AskedBefore.run(args);
        OtherPool.run(args);
        OnlyShutDown.run(args);
    }
    /** The pool was seen not to have ended. */
    static class SeenRunning {
        static void run(String[] a) {
            ExecutorService p = Executors.newFixedThreadPool(2);
            int[] d = new int[1];
            p.execute(() -> d[0]++);
            p.shutdown();
            if (!p.isTerminated()) d[0]++;
        }
    }
    /** The answer is older than the task. */
    static class AskedBefore {
        static void run(String[] a) {
            ExecutorService p = Executors.newFixedThreadPool(2);
            int[] d = new int[1];
            boolean ended = p.isTerminated();
            p.execute(() -> d[0]++);
            p.shutdown();
            if (ended) d[0]++;
        }
    }
    /** Another pool has ended. */
    static class OtherPool {
        static void run(String[] a) {
            ExecutorService p = Executors.newFixedThreadPool(2), q = Executors.newFixedThreadPool(2);
            int[] d = new int[1];
            p.execute(() -> d[0]++);
            q.shutdown();
            while (!q.isTerminated()) Thread.yield();
            d[0]++;
        }
    }
    /** Shut down is not ended. */
    static class OnlyShutDown {
        static void run(String[] a) {
            ExecutorService p = Executors.newFixedThreadPool(2);
            int[] d = new int[1];
            p.execute(() -> d[0]++);
            p.shutdown();
            while (!p.isShutdown()) Thread.yield();
            d[0]++;
        }
    }
}
