// norace
// Each task has an element of its own; the caller reads them all after invokeAll.
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class InvokeAll_norace {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        int[] a = new int[20];
        for (int round = 0; round < 10; round++) {
            List<Callable<Integer>> tasks = new ArrayList<>();
            for (int i = 0; i < a.length; i++) {
                int index = i;
                tasks.add(() -> a[index]++);
            }
            pool.invokeAll(tasks);
            for (int v : a) {
                if (v != round + 1) throw new AssertionError(v);
            }
        }
        pool.shutdown();
        System.out.println("ok");
    }
}
