// race: instance FunctionUnderLock_race.Counter.value
// A helper runs functions behind its lock, not under it.
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;

public class FunctionUnderLock_race {
    static class Counter {
        final Lock lock = new ReentrantLock();
        int value;

        int locked(IntSupplier action) {
            if (!lock.tryLock()) return action.getAsInt();
            lock.unlock();
            return action.getAsInt();
        }
    }

    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: the order of the lock is an accident, and the first values have none. */
    static void count(Counter c) {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
        for (int i = 0; i < 2000; i++) c.locked(() -> ++c.value);
    }

    public static void main(String[] args) throws Exception {
        Counter c = new Counter();
        Thread t1 = new Thread(() -> count(c)), t2 = new Thread(() -> count(c));
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
