// norace
// The reader waits until both writers have counted down.
import java.util.concurrent.CountDownLatch;

public class CountDownLatch_norace {
    static int x;
    static int y;

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
        CountDownLatch latch = new CountDownLatch(2);
        Thread t1 = thread(() -> {
            x = 1;
            latch.countDown();
        });
        Thread t2 = thread(() -> {
            y = 1;
            latch.countDown();
        });
        Thread t3 = thread(() -> {
            latch.await();
            if (x + y != 2) throw new AssertionError();
            x = 3;
        });
        t1.start();
        t2.start();
        t3.start();
        t1.join();
        t2.join();
        t3.join();
        if (x != 3) throw new AssertionError(x);
        System.out.println("ok");
    }
}
