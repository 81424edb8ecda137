// min-jdk: 21
// norace
// Five hundred virtual threads share a counter under a ReentrantLock and hand results back by futures.
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;

public class VirtualExecutor_norace {
    static final ReentrantLock LOCK = new ReentrantLock();
    static int x;

    public static void main(String[] args) throws Exception {
        List<Future<int[]>> results = new ArrayList<>();
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 500; i++) {
                results.add(pool.submit(() -> {
                    LOCK.lock();
                    try {
                        return new int[] {++x};
                    } finally {
                        LOCK.unlock();
                    }
                }));
            }
            int sum = 0;
            for (Future<int[]> f : results) sum += f.get()[0];
            if (sum != 500 * 501 / 2) throw new AssertionError(sum);
        }
        if (x != 500) throw new AssertionError(x);
        System.out.println("ok");
    }
}
