// race: static LockBothKinds_race.x
// A lock of java.util.concurrent that is used as a monitor too: the one does not exclude the other, nor come after it.
import java.util.concurrent.locks.ReentrantLock;

public class LockBothKinds_race {
    static final ReentrantLock LOCK = new ReentrantLock();
    static int x;

    static void asLock() {
        LOCK.lock();
        try {
            x++;
        } finally {
            LOCK.unlock();
        }
    }

    static void asMonitor() {
        synchronized (LOCK) {
            x++;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(() -> {
            for (int i = 0; i < 2000; i++) asLock();
        });
        Thread t2 = new Thread(() -> {
            for (int i = 0; i < 2000; i++) asMonitor();
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
