// norace
// One wrapper, used as its documentation says; a set made of a synchronized map; and the parts of a synchronized map.
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

public class SyncViews_norace {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    static void use(List<Integer> list, Map<Integer, Integer> map, Set<Integer> set) {
        list.add(1);
        map.put(1, 1);
        set.add(1);
        map.values().contains(1);
        List<Integer> copy = new ArrayList<>(list);
        synchronized (list) {
            for (int i : list) copy.add(i);
            list.subList(0, 1).get(0);
        }
        synchronized (map) {
            for (int i : map.keySet()) copy.add(i);
        }
        if (copy.isEmpty() || Collections.unmodifiableList(list).isEmpty()) throw new AssertionError();
    }

    public static void main(String[] args) throws Exception {
        List<Integer> list = Collections.synchronizedList(new ArrayList<>());
        Map<Integer, Integer> map = Collections.synchronizedMap(new HashMap<>());
        Set<Integer> set = Collections.newSetFromMap(Collections.synchronizedMap(new HashMap<>()));
        Thread t1 = new Thread(() -> {
            meet();
            use(list, map, set);
        });
        Thread t2 = new Thread(() -> {
            meet();
            use(list, map, set);
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (list.size() != 2 || map.size() != 1 || set.size() != 1) throw new AssertionError();
        System.out.println("ok");
    }
}
