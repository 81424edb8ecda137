// race: container java.util.HashMap
// One thread puts into the map while the other looks up another key: the table is shared.
import java.util.HashMap;
import java.util.concurrent.atomic.AtomicInteger;

public class HashMap_race {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        HashMap<String, Integer> map = new HashMap<>();
        map.put("b", 2);
        Thread t1 = new Thread(() -> {
            meet();
            map.put("a", 1);
        });
        Thread t2 = new Thread(() -> {
            meet();
            map.get("b");
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
