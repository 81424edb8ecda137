// norace
// The lock is released in finally blocks, after returns and exceptions alike.
import java.util.concurrent.locks.ReentrantLock;

public class TryFinally_norace {
    static final ReentrantLock LOCK = new ReentrantLock();
    static int count;

    static int run(int i) {
        LOCK.lock();
        try {
            count++;
            if (i % 3 == 0) throw new IllegalStateException();
            if (i % 3 == 1) return i;
        } catch (IllegalStateException e) {
            count++;
            return -1;
        } finally {
            count++;
            LOCK.unlock();
        }
        return 0;
    }

    public static void main(String[] args) throws Exception {
        Runnable work = () -> {
            for (int i = 0; i < 900; i++) run(i);
        };
        Thread t1 = new Thread(work);
        Thread t2 = new Thread(work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (count != 2 * (900 + 300 + 900)) throw new AssertionError(count);
        System.out.println("ok");
    }
}
