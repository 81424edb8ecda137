// race: static Condition_race.data
// The data is written after the signal, when the lock was given up.
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class Condition_race {
    static final ReentrantLock LOCK = new ReentrantLock();
    static final Condition READY = LOCK.newCondition();
    static boolean ready;
    static int data;

    interface Body {
        void run() throws Exception;
    }

    static Thread thread(Body body) {
        return new Thread(() -> {
            try {
                body.run();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    public static void main(String[] args) throws Exception {
        Thread t1 = thread(() -> {
            LOCK.lock();
            ready = true;
            READY.signal();
            LOCK.unlock();
            data = 1;
        });
        Thread t2 = thread(() -> {
            LOCK.lock();
            while (!ready) READY.await();
            LOCK.unlock();
            data = 2;
        });
        // The waiting thread first: the end of t1 must not be able to order anything before the start of t2.
        t2.start();
        t1.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
