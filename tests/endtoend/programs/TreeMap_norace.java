// norace
// Writers hold the write lock, readers the read lock.
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class TreeMap_norace {
    public static void main(String[] args) throws Exception {
        TreeMap<Integer, Integer> map = new TreeMap<>();
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        Thread t1 = new Thread(() -> {
            for (int i = 0; i < 300; i++) {
                lock.writeLock().lock();
                map.put(i % 40, i);
                lock.writeLock().unlock();
            }
        });
        Thread t2 = new Thread(() -> {
            for (int i = 0; i < 300; i++) {
                lock.readLock().lock();
                Integer seen = map.get(i % 40);
                int size = map.size();
                lock.readLock().unlock();
            }
        });
        Thread t3 = new Thread(() -> {
            for (int i = 0; i < 300; i++) {
                lock.readLock().lock();
                Integer seen = map.get(i % 40);
                int size = map.size();
                lock.readLock().unlock();
            }
        });
        t1.start();
        t2.start();
        t3.start();
        t1.join();
        t2.join();
        t3.join();
        if (map.size() != 40) throw new AssertionError(map.size());
        System.out.println("ok");
    }
}
