// race: static TryLock_race.x
// The field is used although tryLock has failed.
import java.util.concurrent.locks.ReentrantLock;

public class TryLock_race {
    static volatile boolean held;
    static volatile boolean stop;
    static int x;

    public static void main(String[] args) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Thread t = new Thread(() -> {
            lock.lock();
            held = true;
            x = 1;
            while (!stop) Thread.yield();
            lock.unlock();
        });
        t.start();
        while (!held) Thread.yield();
        if (lock.tryLock()) throw new AssertionError();
        x = 2;
        stop = true;
        t.join();
        System.out.println("ok");
    }
}
