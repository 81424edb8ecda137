// race: container java.util.HashMap
// race: container java.util.ArrayList
// race: container java.util.TreeSet
// race: container java.util.LinkedHashMap
// race: container java.util.PriorityQueue
// race: container java.util.ArrayDeque
// What is done to a view is done to what it is a view of.
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;

public class Views_race {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Map<Integer, Integer> map = new HashMap<>(Map.of(1, 1, 2, 2));
        List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
        TreeSet<Integer> tree = new TreeSet<>(List.of(1, 2, 3));
        LinkedHashMap<Integer, Integer> linked = new LinkedHashMap<>(Map.of(1, 1, 2, 2));
        PriorityQueue<Integer> queue = new PriorityQueue<>(List.of(1, 2, 3));
        ArrayDeque<Integer> deque = new ArrayDeque<>(List.of(1, 2, 3));
        Set<Integer> keys = map.keySet();
        List<Integer> part = list.subList(0, 2);
        SortedSet<Integer> below = tree.headSet(3);
        Collection<Integer> values = linked.values();
        Collection<Integer> fixed = Collections.unmodifiableCollection(queue);
        Iterator<Integer> it = deque.descendingIterator();
        Thread t1 = new Thread(() -> {
            meet();
            keys.remove(1);
            part.set(0, 5);
            below.remove(1);
            values.remove(1);
            queue.add(4);
            deque.add(4);
        });
        Thread t2 = new Thread(() -> {
            meet();
            map.get(2);
            list.get(2);
            tree.contains(2);
            linked.containsKey(2);
            fixed.size();
            try {
                it.next();
            } catch (java.util.ConcurrentModificationException e) {
                // the race has shown itself
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
