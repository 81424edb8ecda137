import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

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

    static void listOfTasksOk() throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        int[] d = new int[8];
        for (int round = 0; round < 3; round++) {
            List<Callable<Integer>> tasks = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int index = i;
                tasks.add(() -> d[index]++);
            }
            pool.invokeAll(tasks);
            d[round]++;
        }
        pool.shutdown(); // else the program never ends
    }
    static void elementForEachTaskOk() throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        int[] d = new int[8];
        for (int i = 0; i < 8; i++) {
            int index = i;
            pool.execute(() -> d[index]++);
        }
        pool.shutdown();
        if (!pool.awaitTermination(9, TimeUnit.SECONDS)) return;
        d[0]++;
    }

    public static void main(String[] args) throws InterruptedException {
        seenTerminatedOk(); seenShutDownBad(); listOfTasksOk(); elementForEachTaskOk();
    }
}
