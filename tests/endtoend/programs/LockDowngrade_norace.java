// norace
// A cached value is computed under the write lock, which is then exchanged for the read lock without a gap.
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class LockDowngrade_norace {
    static final ReentrantReadWriteLock LOCK = new ReentrantReadWriteLock();
    static int value, computed;
    static boolean valid;

    static int get() {
        LOCK.readLock().lock();
        if (!valid) {
            LOCK.readLock().unlock();
            LOCK.writeLock().lock();
            try {
                if (!valid) {
                    value = 42;
                    computed++;
                    valid = true;
                }
                LOCK.readLock().lock();
            } finally {
                LOCK.writeLock().unlock();
            }
        }
        try {
            return value;
        } finally {
            LOCK.readLock().unlock();
        }
    }

    static void forget() {
        LOCK.writeLock().lock();
        try {
            valid = false;
            value = 0;
        } finally {
            LOCK.writeLock().unlock();
        }
    }

    static void work() {
        for (int i = 0; i < 500; i++) {
            if (get() != 42) throw new AssertionError();
            if (i % 50 == 0) forget();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(() -> work()), t2 = new Thread(() -> work());
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
