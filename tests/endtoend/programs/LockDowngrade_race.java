// race: static LockDowngrade_race.value
// A cached value is computed under the read lock, which does not keep other readers out.
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class LockDowngrade_race {
    static final ReentrantReadWriteLock LOCK = new ReentrantReadWriteLock();
    static final AtomicInteger GATE = new AtomicInteger();
    static int value;

    static int get() {
        LOCK.readLock().lock();
        try {
            if (value == 0) value = 42;
            return value;
        } finally {
            LOCK.readLock().unlock();
        }
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void work() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
        for (int i = 0; i < 500; i++) get();
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
