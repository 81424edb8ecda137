// norace
// A helper runs functions under a lock; what they do with what they captured is guarded by it.
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;

public class FunctionUnderLock_norace {
    static class Counter {
        final Lock lock = new ReentrantLock();
        int value;

        int locked(IntSupplier action) {
            lock.lock();
            try {
                return action.getAsInt();
            } finally {
                lock.unlock();
            }
        }
    }

    static void count(Counter c) {
        for (int i = 0; i < 2000; i++) c.locked(() -> ++c.value);
    }

    public static void main(String[] args) throws Exception {
        Counter c = new Counter();
        Thread t1 = new Thread(() -> count(c)), t2 = new Thread(() -> count(c));
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println(c.value == 4000 ? "ok" : "lost " + (4000 - c.value));
    }
}
