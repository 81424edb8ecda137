// norace
// Views that the threads use under the lock of what is behind them, or that nobody changes.
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

public class Views_norace {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        TreeMap<Integer, Integer> map = new TreeMap<>(Map.of(1, 1, 2, 2, 3, 3));
        List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
        List<Integer> part = Collections.unmodifiableList(list).subList(0, 2);
        Thread t1 = new Thread(() -> {
            meet();
            for (int i : part) i++;
            synchronized (map) {
                map.descendingMap().headMap(2).clear();
            }
        });
        Thread t2 = new Thread(() -> {
            meet();
            list.get(0);
            part.contains(1);
            synchronized (map) {
                map.remove(1);
                for (Map.Entry<Integer, Integer> e : map.entrySet()) e.setValue(7);
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (map.containsKey(1) || map.containsKey(3)) throw new AssertionError(map);
        System.out.println("ok");
    }
}
