// norace
// Every use of the queue holds one ReentrantLock.
import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;

public class PriorityQueue_norace {
    public static void main(String[] args) throws Exception {
        PriorityQueue<Integer> queue = new PriorityQueue<>();
        ReentrantLock lock = new ReentrantLock();
        Thread t1 = new Thread(() -> {
            for (int i = 0; i < 300; i++) {
                lock.lock();
                try {
                    queue.offer(i);
                } finally {
                    lock.unlock();
                }
            }
        });
        Thread t2 = new Thread(() -> {
            for (int i = 0; i < 300; i++) {
                lock.lock();
                try {
                    queue.poll();
                } finally {
                    lock.unlock();
                }
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
