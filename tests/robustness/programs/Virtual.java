import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/** Ten thousand virtual threads that live at the same time; a counter under a lock, and one under none. */
public class Virtual {
    static int guarded, racy;
    static final ReentrantLock LOCK = new ReentrantLock();

    public static void main(String[] args) throws Exception {
        int n = Integer.parseInt(args[0]);
        CountDownLatch all = new CountDownLatch(n), go = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            threads.add(Thread.startVirtualThread(() -> {
                all.countDown();
                try {
                    go.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                racy++;
                LOCK.lock();
                try {
                    guarded++;
                } finally {
                    LOCK.unlock();
                }
            }));
        }
        all.await();
        go.countDown();
        for (Thread t : threads) t.join();
        System.out.println(guarded == n ? "ok" : "counted " + guarded);
    }
}
