// min-jdk: 21
// norace
// Closing an executor of virtual threads waits until the set of its threads is empty.
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;

public class VirtualClose_norace {
    int x;

    public static void main(String[] args) {
        for (int i = 0; i < 5; i++) {
            VirtualClose_norace o = new VirtualClose_norace();
            ReentrantLock lock = new ReentrantLock();
            try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int k = 0; k < 1000; k++) {
                    pool.submit(() -> {
                        lock.lock();
                        try {
                            o.x++;
                        } finally {
                            lock.unlock();
                        }
                    });
                }
            }
            if (o.x != 1000) System.out.println("x " + o.x);
        }
        System.out.println("ok");
    }
}
