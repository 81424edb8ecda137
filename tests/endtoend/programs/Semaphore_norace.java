// norace
// One permit makes a lock; a semaphore of no permits is a signal.
import java.util.concurrent.Semaphore;

public class Semaphore_norace {
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
        Semaphore lock = new Semaphore(1);
        Semaphore signal = new Semaphore(0);
        Thread t1 = thread(() -> {
            for (int i = 0; i < 300; i++) {
                lock.acquire();
                x++;
                lock.release();
            }
            y = 7;
            signal.release();
        });
        Thread t2 = thread(() -> {
            for (int i = 0; i < 300; i++) {
                lock.acquireUninterruptibly();
                x++;
                lock.release();
            }
            signal.acquire();
            if (y != 7) throw new AssertionError(y);
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (x != 600) throw new AssertionError(x);
        System.out.println("ok");
    }
}
