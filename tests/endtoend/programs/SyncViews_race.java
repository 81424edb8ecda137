// race: container java.util.ArrayList
// race: container java.util.LinkedList
// race: container java.util.HashMap
// Two synchronized wrappers of one list have a lock each; iterating over a wrapper takes no lock; and the lock of a map is not
// that of its key set.
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

public class SyncViews_race {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    static void quietly(Runnable work) {
        try {
            work.run();
        } catch (java.util.ConcurrentModificationException e) {
            // the race has shown itself
        }
    }

    public static void main(String[] args) throws Exception {
        Collection<Integer> list = new ArrayList<>();
        List<Integer> linked = Collections.synchronizedList(new LinkedList<>(List.of(1)));
        Map<Integer, Integer> map = Collections.synchronizedMap(new HashMap<>());
        Set<Integer> keys = map.keySet();
        Thread t1 = new Thread(() -> {
            meet();
            Collections.synchronizedCollection(list).add(1);
            linked.add(2);
            map.put(1, 1);
        });
        Thread t2 = new Thread(() -> {
            meet();
            Collections.synchronizedCollection(list).contains(1);
            quietly(() -> {
                for (int i : linked) i++;
            });
            quietly(() -> {
                synchronized (keys) {
                    for (int i : keys) i++;
                }
            });
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
