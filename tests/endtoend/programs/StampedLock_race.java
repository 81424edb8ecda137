// race: static StampedLock_race.x
// The optimistic reader uses the field without validating: the writer is at work.
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.StampedLock;

public class StampedLock_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static int x;

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        StampedLock lock = new StampedLock();
        Thread t1 = new Thread(() -> {
            long stamp = lock.writeLock();
            meet();
            x = 1;
            lock.unlockWrite(stamp);
        });
        Thread t2 = new Thread(() -> {
            lock.tryOptimisticRead();
            meet();
            int seen = x;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
