// race: static CountDownLatch_race.data
// The data is written after the count-down that the reader waits for.
import java.util.concurrent.CountDownLatch;

public class CountDownLatch_race {
    static int data;

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
        Thread t1 = thread(() -> {
            latch.countDown();
            data = 1;
        });
        Thread t2 = thread(() -> {
            latch.await();
            int seen = data;
        });
        // The waiting thread first: the end of t1 must not be able to order anything before the start of t2.
        t2.start();
        t1.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
