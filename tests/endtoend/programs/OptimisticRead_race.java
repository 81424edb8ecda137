// race: static OptimisticRead_race.x
// race: static OptimisticRead_race.y
// The one stamp stays valid, for who writes x has not taken its lock; nobody looks at the other one again.
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.StampedLock;

public class OptimisticRead_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static final StampedLock UNUSED = new StampedLock();
    static final StampedLock LOCK = new StampedLock();
    static volatile boolean over;
    static int x;
    static int y;

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(() -> {
            meet();
            x = 1;
            long stamp = LOCK.writeLock();
            y = 1;
            LOCK.unlockWrite(stamp);
            while (!over) LockSupport.park();
        });
        Thread t2 = new Thread(() -> {
            long stamp = UNUSED.tryOptimisticRead();
            LOCK.tryOptimisticRead();
            meet();
            while (t1.getState() != Thread.State.WAITING) Thread.yield(); // which orders nothing
            int seen = x;
            if (!UNUSED.validate(stamp)) throw new AssertionError("nobody has taken the lock");
            seen += y;
            over = true;
            LockSupport.unpark(t1);
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
