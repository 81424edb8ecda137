import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;

/** What orders the two sides of each field is in its name. */
public class Handed {
    static int future, completable, latch, volatileFlag, atomicFlag;
    static volatile boolean flag;
    static final AtomicBoolean atomic = new AtomicBoolean();

    public static void main(String[] args) throws Exception {
        FutureTask<Void> task = new FutureTask<>(() -> future = 1, null);
        new Thread(task).start();
        task.get();
        future++;

        CompletableFuture<Void> promise = new CompletableFuture<>();
        new Thread(() -> {
            completable = 1;
            promise.complete(null);
        }).start();
        promise.join();
        completable++;

        CountDownLatch done = new CountDownLatch(1);
        new Thread(() -> {
            latch = 1;
            done.countDown();
        }).start();
        done.await();
        latch++;

        new Thread(() -> {
            volatileFlag = 1;
            flag = true;
        }).start();
        while (!flag) Thread.onSpinWait();
        volatileFlag++;

        new Thread(() -> {
            atomicFlag = 1;
            atomic.set(true);
        }).start();
        while (!atomic.get()) Thread.onSpinWait();
        atomicFlag++;
    }
}
