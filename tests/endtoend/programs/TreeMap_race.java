// race: container java.util.TreeMap
// One thread inserts while the other looks up.
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

public class TreeMap_race {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        TreeMap<Integer, String> map = new TreeMap<>();
        map.put(1, "one");
        Thread t1 = new Thread(() -> {
            meet();
            map.put(2, "two");
        });
        Thread t2 = new Thread(() -> {
            meet();
            map.get(1);
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
