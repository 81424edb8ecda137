// race: static ConcurrentHashMap_race.data
// Getting one key does not order with putting another.
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

public class ConcurrentHashMap_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static int data;

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

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
        ConcurrentHashMap<Integer, String> map = new ConcurrentHashMap<>();
        map.put(2, "two");
        Thread t1 = thread(() -> {
            meet();
            data = 1;
            map.put(1, "one");
        });
        Thread t2 = thread(() -> {
            meet();
            Thread.sleep(20);
            map.get(2);
            data = 2;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
