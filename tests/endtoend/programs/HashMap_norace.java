// norace
// The map is filled before the threads start and only read by them.
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

public class HashMap_norace {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Map<Integer, Integer> map = new HashMap<>();
        for (int i = 0; i < 50; i++) map.put(i, i * i);
        Runnable work = () -> {
            meet();
            for (int i = 0; i < 50; i++) {
                if (map.get(i) != i * i || !map.containsKey(i) || map.size() != 50) throw new AssertionError(i);
            }
        };
        Thread t1 = new Thread(work);
        Thread t2 = new Thread(work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
