// race: container java.util.HashMap.Node
// race: container java.util.TreeMap.Entry
// Two threads go through maps that nobody changes any more: both set the values of a HashMap; one sets and one reads those of a TreeMap.
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

public class MapEntry_race {
    static final AtomicInteger FIRST = new AtomicInteger(), SECOND = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet(AtomicInteger gate) {
        gate.incrementAndGet();
        while (gate.get() < 2) Thread.yield();
    }

    static void setAll(Map<Integer, Integer> map, int value) {
        for (Map.Entry<Integer, Integer> e : map.entrySet()) e.setValue(value);
    }

    static void setSorted(TreeMap<Integer, Integer> map, int value) {
        for (Map.Entry<Integer, Integer> e : map.entrySet()) e.setValue(value);
    }

    static int sum(TreeMap<Integer, Integer> map) {
        int sum = 0;
        for (Map.Entry<Integer, Integer> e : map.entrySet()) sum += e.getValue();
        return sum;
    }

    public static void main(String[] args) throws Exception {
        Map<Integer, Integer> hashed = new HashMap<>();
        TreeMap<Integer, Integer> sorted = new TreeMap<>();
        for (int i = 0; i < 10; i++) {
            hashed.put(i, i);
            sorted.put(i, i);
        }
        Thread t1 = new Thread(() -> {
            meet(FIRST);
            setAll(hashed, 1);
            meet(SECOND);
            setSorted(sorted, 2);
        });
        Thread t2 = new Thread(() -> {
            meet(FIRST);
            setAll(hashed, 3);
            meet(SECOND);
            if (sum(sorted) < 0) System.out.println("sum");
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
