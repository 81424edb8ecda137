// norace
// The runs of a periodic task are ordered one after the other, whichever thread they are on.
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

public class Scheduled_norace {
    static int runs;

    public static void main(String[] args) throws Exception {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(3);
        CountDownLatch done = new CountDownLatch(1);
        runs = 0;
        pool.scheduleAtFixedRate(() -> {
            if (runs == 30) return;
            runs++;
            if (runs == 30) done.countDown();
        }, 1, 1, TimeUnit.MILLISECONDS);
        done.await();
        if (runs != 30) throw new AssertionError(runs);
        int answer = pool.schedule(() -> runs + 12, 1, TimeUnit.MILLISECONDS).get();
        if (answer != 42) throw new AssertionError(answer);
        pool.shutdownNow();
        System.out.println("ok");
    }
}
