// race: container java.util.LinkedHashMap
// In a map that keeps the order of access, asking for an entry moves it.
import java.util.LinkedHashMap;
import java.util.concurrent.atomic.AtomicInteger;

public class AccessOrder_race {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        LinkedHashMap<Integer, Integer> cache = new LinkedHashMap<>(16, 0.75f, true);
        for (int i = 0; i < 4; i++) cache.put(i, i);
        Thread t1 = new Thread(() -> {
            meet();
            cache.get(0);
        });
        Thread t2 = new Thread(() -> {
            meet();
            cache.get(1);
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
