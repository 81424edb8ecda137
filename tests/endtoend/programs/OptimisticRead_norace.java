// norace
// Optimistic reads that count only if their stamp is still valid: with a read lock to fall back on, with a loop, with a
// stamp that is validated several times, and with one that turns into a lock.
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.StampedLock;

public class OptimisticRead_norace {
    static final StampedLock LOCK = new StampedLock();
    static final int[] CELLS = new int[8];
    static final Map<String, Integer> MAP = new HashMap<>();
    static int x;
    static int y;

    static int fallBack() {
        long stamp = LOCK.tryOptimisticRead(); // 0 while a writer is at work; that is never valid
        int sum = x + y;
        if (LOCK.validate(stamp)) return sum;
        stamp = LOCK.readLock();
        try {
            return x + y;
        } finally {
            LOCK.unlockRead(stamp);
        }
    }

    static int again() {
        for (;;) {
            long stamp = LOCK.tryOptimisticRead();
            if (stamp == 0) continue;
            int sum = x + y;
            if (!LOCK.validate(stamp)) continue;
            for (int i = 0; i < CELLS.length; i++) {
                sum += CELLS[i];
                if (!LOCK.validate(stamp)) break;
            }
            if (LOCK.validate(stamp)) return sum;
        }
    }

    static int locked() {
        long stamp = LOCK.tryOptimisticRead();
        int sum = stamp == 0 ? 0 : x + y;
        if (stamp == 0 || !LOCK.validate(stamp)) {
            stamp = LOCK.readLock();
            sum = x + y + MAP.size();
        }
        if (StampedLock.isReadLockStamp(stamp)) LOCK.unlockRead(stamp);
        return sum;
    }

    static int converted() {
        long stamp = LOCK.tryOptimisticRead();
        int sum = x + y;
        long write = LOCK.tryConvertToWriteLock(stamp);
        if (write == 0) write = LOCK.writeLock();
        x--;
        y++;
        sum = x + y;
        write = LOCK.tryConvertToOptimisticRead(write);
        int after = x + y;
        return LOCK.validate(write) ? after : sum;
    }

    static void write() {
        for (int i = 0; i < 500; i++) {
            long stamp = LOCK.writeLock();
            x++;
            y--;
            CELLS[i & 7] += (i & 1) == 0 ? 1 : -1;
            MAP.put("k", i);
            LOCK.unlockWrite(stamp);
            if (i % 20 == 0) Thread.yield();
        }
    }

    static void read() {
        int sum = 0;
        for (int i = 0; i < 300; i++) {
            if (fallBack() != 0 || converted() != 0) throw new AssertionError("x + y is not 0");
            sum += again() + locked();
        }
        if (sum == 42_000_000) throw new AssertionError(sum);
    }

    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++)
            threads[i] = new Thread(i % 2 == 0 ? OptimisticRead_norace::write : OptimisticRead_norace::read);
        for (Thread t : threads) t.start();
        for (Thread t : threads) t.join();
        System.out.println("ok");
    }
}
