// race: static AwaitTimeout_race.x
// The reader goes on although its wait for the latch has timed out.
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

public class AwaitTimeout_race {
    static volatile boolean stop;
    static int x;

    interface Body {
        void run() throws Exception;
    }

    static Thread thread(Body body) {
        return new Thread(() -> {
            try {
                body.run();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    public static void main(String[] args) throws Exception {
        CountDownLatch latch = new CountDownLatch(1);
        Thread t = thread(() -> {
            x = 1;
            while (!stop) Thread.sleep(1);
            latch.countDown();
        });
        t.start();
        if (latch.await(20, TimeUnit.MILLISECONDS)) throw new AssertionError();
        int seen = x;
        stop = true;
        t.join();
        System.out.println("ok");
    }
}
