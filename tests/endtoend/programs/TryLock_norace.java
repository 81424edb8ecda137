// norace
// The field is used only where tryLock, plain or timed, has succeeded.
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

public class TryLock_norace {
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
        ReentrantLock lock = new ReentrantLock();
        Thread t1 = thread(() -> {
            for (int i = 0; i < 300; ) {
                if (lock.tryLock()) {
                    x++;
                    i++;
                    lock.unlock();
                }
            }
        });
        Thread t2 = thread(() -> {
            for (int i = 0; i < 300; ) {
                if (lock.tryLock(1, TimeUnit.SECONDS)) {
                    x++;
                    i++;
                    lock.unlock();
                }
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (x != 600) throw new AssertionError(x);
        System.out.println("ok");
    }
}
