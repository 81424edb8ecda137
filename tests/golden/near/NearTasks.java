// Races that stand close to proofs about tasks that have ended.  Each class has one.
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

public class NearTasks {
    public static void main(String[] args) throws Exception {
        SeenRunning.run(args);
        AskedBefore.run(args);
        OtherPool.run(args);
        OnlyShutDown.run(args);
        HalfTheNumber.run(args);
        NeighbourRead.run(args);
        GivenTwice.run(args);
        AddedTwice.run(args);
        ListOfTwoRounds.run(args);
        LoopAgain.run(args);
        StoppedWaiting.run(args);
        TimeIsUp.run(args);
        OneFuture.run(args);
        BeforeTheEnd.run(args);
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
    /** Two tasks have the same half of their numbers. */
    static class HalfTheNumber {
        static void run(String[] a) throws Exception {
            ExecutorService p = Executors.newFixedThreadPool(2);
            int[] d = new int[8];
            List<Callable<Integer>> tasks = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int half = i / 2;
                tasks.add(() -> d[half]++);
            }
            p.invokeAll(tasks);
        }
    }
    /** The next task's element. */
    static class NeighbourRead {
        static void run(String[] a) throws Exception {
            ExecutorService p = Executors.newFixedThreadPool(2);
            int[] d = new int[9];
            for (int i = 0; i < 8; i++) {
                int index = i;
                p.execute(() -> d[index] = d[index + 1]);
            }
        }
    }
    /** The same list runs twice, of which the first is not waited for. */
    static class GivenTwice {
        static void run(String[] a) throws Exception {
            ExecutorService p = Executors.newFixedThreadPool(2);
            int[] d = new int[8];
            List<Callable<Integer>> tasks = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int index = i;
                tasks.add(() -> d[index]++);
            }
            for (Callable<Integer> t : tasks) p.submit(t);
            p.invokeAll(tasks);
        }
    }
    /** Each task stands in the list twice. */
    static class AddedTwice {
        static void run(String[] a) throws Exception {
            ExecutorService p = Executors.newFixedThreadPool(2);
            int[] d = new int[8];
            List<Callable<Integer>> tasks = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int index = i;
                Callable<Integer> t = () -> d[index]++;
                tasks.add(t);
                tasks.add(t);
            }
            p.invokeAll(tasks);
        }
    }
    /** One list for the tasks of two loops. */
    static class ListOfTwoRounds {
        static void run(String[] a) throws Exception {
            ExecutorService p = Executors.newFixedThreadPool(2);
            int[] d = new int[8];
            List<Callable<Integer>> tasks = new ArrayList<>();
            for (int round = 0; round < 2; round++) {
                for (int i = 0; i < 8; i++) {
                    int index = i;
                    tasks.add(() -> d[index]++);
                }
            }
            p.invokeAll(tasks);
        }
    }
    /** The loop runs again, and its first tasks may still be at work. */
    static class LoopAgain {
        static void run(String[] a) throws Exception {
            ExecutorService p = Executors.newFixedThreadPool(2);
            int[] d = new int[8];
            for (int round = 0; round < 2; round++) {
                for (int i = 0; i < 8; i++) {
                    int index = i;
                    p.execute(() -> d[index]++);
                }
            }
        }
    }
    /** Interrupted, invokeAll() does not wait for what runs. */
    static class StoppedWaiting {
        static void run(String[] a) {
            ExecutorService p = Executors.newFixedThreadPool(2);
            int[] d = new int[1];
            List<Callable<Integer>> tasks = new ArrayList<>();
            tasks.add(() -> d[0]++);
            try {
                p.invokeAll(tasks);
            } catch (InterruptedException e) {
                d[0]++;
            }
        }
    }
    /** Nor does it when the time is up. */
    static class TimeIsUp {
        static void run(String[] a) throws Exception {
            ExecutorService p = Executors.newFixedThreadPool(2);
            int[] d = new int[1];
            List<Callable<Integer>> tasks = new ArrayList<>();
            tasks.add(() -> d[0]++);
            p.invokeAll(tasks, 1, TimeUnit.MILLISECONDS);
            d[0]++;
        }
    }
    /** The last task has ended, the others may be at work. */
    static class OneFuture {
        static void run(String[] a) throws Exception {
            ExecutorService p = Executors.newFixedThreadPool(2);
            int[] d = new int[8];
            for (int i = 0; i < 8; i++) {
                int index = i;
                Future<?> f = p.submit(() -> d[index]++);
                if (i == 7) f.get();
            }
            d[0]++;
        }
    }
    /** The pool ends after the access. */
    static class BeforeTheEnd {
        static void run(String[] a) throws Exception {
            ExecutorService p = Executors.newFixedThreadPool(2);
            int[] d = new int[8];
            for (int i = 0; i < 8; i++) {
                int index = i;
                p.execute(() -> d[index]++);
            }
            p.shutdown();
            d[0]++;
            if (!p.awaitTermination(9, TimeUnit.SECONDS)) return;
        }
    }
}
