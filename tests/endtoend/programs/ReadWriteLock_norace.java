// norace
// Readers share the read lock; the writer has the write lock and downgrades it to read on.
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class ReadWriteLock_norace {
    static int x;
    static int y;

    public static void main(String[] args) throws Exception {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        Thread t1 = new Thread(() -> {
            for (int i = 0; i < 200; i++) {
                lock.writeLock().lock();
                x++;
                y++;
                lock.readLock().lock();
                lock.writeLock().unlock();
                if (x != y) throw new AssertionError(x);
                lock.readLock().unlock();
            }
        });
        Thread t2 = new Thread(() -> {
            for (int i = 0; i < 200; i++) {
                lock.readLock().lock();
                if (x != y) throw new AssertionError(x);
                lock.readLock().unlock();
            }
        });
        Thread t3 = new Thread(() -> {
            for (int i = 0; i < 200; i++) {
                lock.readLock().lock();
                if (x != y) throw new AssertionError(x);
                lock.readLock().unlock();
            }
        });
        t1.start();
        t2.start();
        t3.start();
        t1.join();
        t2.join();
        t3.join();
        System.out.println("ok");
    }
}
