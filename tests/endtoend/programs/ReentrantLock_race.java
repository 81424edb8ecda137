// race: static ReentrantLock_race.x
// Each thread has its own ReentrantLock for the same field.
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

public class ReentrantLock_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static int x;

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        ReentrantLock a = new ReentrantLock();
        ReentrantLock b = new ReentrantLock();
        Thread t1 = new Thread(() -> {
            meet();
            a.lock();
            x++;
            a.unlock();
        });
        Thread t2 = new Thread(() -> {
            meet();
            b.lock();
            x++;
            b.unlock();
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
