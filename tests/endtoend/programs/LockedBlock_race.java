// race: static LockedBlock_race.x
// A lock that is taken and given back by the resource of a try statement: each thread has a guard, and a lock, of its own.
import java.util.concurrent.locks.ReentrantLock;

public class LockedBlock_race {
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

    static int x;

    static void count() {
        Held guard = new Held();
        for (int i = 0; i < 2000; i++) {
            try (Held held = guard.open()) {
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
        System.out.println("ok");
    }
}
