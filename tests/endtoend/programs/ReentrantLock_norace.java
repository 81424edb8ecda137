// norace
// A fair and an unfair lock, entered twice, guard a field each.
import java.util.concurrent.locks.ReentrantLock;

public class ReentrantLock_norace {
    static int x;
    static int y;

    public static void main(String[] args) throws Exception {
        ReentrantLock plain = new ReentrantLock();
        ReentrantLock fair = new ReentrantLock(true);
        Runnable work = () -> {
            for (int i = 0; i < 300; i++) {
                plain.lock();
                plain.lock();
                x++;
                plain.unlock();
                x++;
                plain.unlock();
                fair.lock();
                y++;
                fair.unlock();
            }
        };
        Thread t1 = new Thread(work);
        Thread t2 = new Thread(work);
        Thread t3 = new Thread(work);
        t1.start();
        t2.start();
        t3.start();
        t1.join();
        t2.join();
        t3.join();
        if (x != 1800 || y != 900) throw new AssertionError(x);
        System.out.println("ok");
    }
}
