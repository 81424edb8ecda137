// norace
// A lock that is taken and given back by the resource of a try statement.
import java.util.concurrent.locks.ReentrantLock;

public class LockedBlock_norace {
    static class Held implements AutoCloseable {
        final ReentrantLock lock = new ReentrantLock();

        Held open() {
            lock.lock();
            return this;
        }

        @Override
        public void close() {
            lock.unlock();
        }
    }

    static final Held GUARD = new Held();
    static int x;

    static void count() {
        for (int i = 0; i < 2000; i++) {
            try (Held held = GUARD.open()) {
                x++;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(() -> count()), t2 = new Thread(() -> count());
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println(x == 4000 ? "ok" : "lost " + (4000 - x));
    }
}
