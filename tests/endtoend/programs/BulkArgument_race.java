// race: container java.util.ArrayList
// race: container java.util.HashMap
// race: container java.util.LinkedList
// race: container java.util.TreeMap
// Collections that are read because they were given to a constructor, to a bulk method, to Collections.sort and to the
// concatenation of strings.
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

public class BulkArgument_race {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    static void quietly(Runnable work) {
        try {
            work.run();
        } catch (java.util.ConcurrentModificationException | NullPointerException e) {
            // the race has shown itself
        }
    }

    public static void main(String[] args) throws Exception {
        List<Integer> list = new ArrayList<>(List.of(1));
        Map<Integer, Integer> map = new HashMap<>(Map.of(1, 1));
        LinkedList<Integer> sorted = new LinkedList<>(List.of(2, 1));
        TreeMap<Integer, Integer> tree = new TreeMap<>(Map.of(1, 1));
        Thread t1 = new Thread(() -> {
            meet();
            list.add(2);
            map.put(2, 2);
            sorted.size();
            tree.put(2, 2);
        });
        Thread t2 = new Thread(() -> {
            meet();
            quietly(() -> new ArrayDeque<>(list));
            quietly(() -> new HashMap<Integer, Integer>().putAll(map));
            quietly(() -> Collections.sort(sorted));
            quietly(() -> ("tree " + tree).length());
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
