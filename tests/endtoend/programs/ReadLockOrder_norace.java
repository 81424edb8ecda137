// norace
// Two readers read what a writer wrote before; the next writer comes after both of them, and each way of locking counts.
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class ReadLockOrder_norace {
    static int x;

    static void read(ReentrantReadWriteLock lock, int i) throws InterruptedException {
        if (i % 3 == 0) lock.readLock().lock();
        else if (i % 3 == 1) lock.readLock().lockInterruptibly();
        else if (!lock.readLock().tryLock() && !lock.readLock().tryLock(20, TimeUnit.SECONDS)) throw new AssertionError();
        try {
            if (x < 0) throw new AssertionError(x);
        } finally {
            lock.readLock().unlock();
        }
    }

    static void write(ReentrantReadWriteLock lock, int i) throws InterruptedException {
        if (i % 3 == 0) lock.writeLock().lock();
        else if (i % 3 == 1) lock.writeLock().lockInterruptibly();
        else if (!lock.writeLock().tryLock() && !lock.writeLock().tryLock(20, TimeUnit.SECONDS)) throw new AssertionError();
        try {
            x++;
        } finally {
            lock.writeLock().unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        ReentrantReadWriteLock[] locks = {new ReentrantReadWriteLock(), new ReentrantReadWriteLock(true)};
        for (ReentrantReadWriteLock lock : locks) {
            Thread[] threads = new Thread[4];
            for (int k = 0; k < threads.length; k++) {
                int me = k;
                threads[k] = new Thread(() -> {
                    try {
                        for (int i = 0; i < 300; i++) {
                            if ((i + me) % 4 == 0) write(lock, i / 4);
                            else read(lock, i);
                        }
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                });
            }
            for (Thread t : threads) t.start();
            for (Thread t : threads) t.join();
        }
        if (x != 600) throw new AssertionError(x);
        System.out.println("ok");
    }
}
