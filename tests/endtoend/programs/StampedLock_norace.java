// norace
// Write and read stamps exclude each other; the optimistic reader waits for the stamp of a finished write.
import java.util.concurrent.locks.StampedLock;

public class StampedLock_norace {
    static int x;
    static int y;

    public static void main(String[] args) throws Exception {
        StampedLock lock = new StampedLock();
        StampedLock once = new StampedLock();
        long initial = once.tryOptimisticRead();
        Thread t1 = new Thread(() -> {
            long s = once.writeLock();
            y = 42;
            once.unlockWrite(s);
            for (int i = 0; i < 300; i++) {
                s = lock.writeLock();
                x++;
                lock.unlockWrite(s);
            }
        });
        Thread t2 = new Thread(() -> {
            long s = once.tryOptimisticRead();
            while (s == initial || s == 0) {
                Thread.yield();
                s = once.tryOptimisticRead();
            }
            if (y != 42 || !once.validate(s)) throw new AssertionError(y);
            for (int i = 0; i < 300; i++) {
                s = lock.readLock();
                int seen = x;
                lock.unlockRead(s);
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (x != 300) throw new AssertionError(x);
        System.out.println("ok");
    }
}
