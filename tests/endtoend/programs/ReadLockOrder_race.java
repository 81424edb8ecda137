// race: static ReadLockOrder_race.x
// Readers come in no order that the lock promises, also if one gives it back before the other takes it.
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class ReadLockOrder_race {
    static int x;

    public static void main(String[] args) throws Exception {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            int turn = i;
            threads[i] = new Thread(() -> {
                // One after the other, mostly, and by nothing that orders them.
                long until = System.nanoTime() + turn * 30_000_000L;
                while (System.nanoTime() < until) Thread.onSpinWait();
                lock.readLock().lock();
                x++;
                lock.readLock().unlock();
            });
        }
        for (Thread t : threads) t.start();
        for (Thread t : threads) t.join();
        System.out.println("ok");
    }
}
