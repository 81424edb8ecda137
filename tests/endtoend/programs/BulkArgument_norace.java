// norace
// A synchronized list reads its argument under its own lock, which the other thread holds when it changes the argument.
// A view is no access by itself.
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

public class BulkArgument_norace {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        List<Integer> target = Collections.synchronizedList(new ArrayList<>());
        List<Integer> source = new ArrayList<>(List.of(1));
        Map<Integer, Integer> map = new HashMap<>(Map.of(1, 1));
        Thread t1 = new Thread(() -> {
            meet();
            target.addAll(source);
            Set<Integer> view = map.keySet();
        });
        Thread t2 = new Thread(() -> {
            meet();
            synchronized (target) {
                source.add(2);
            }
            map.put(2, 2);
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (source.size() != 2) throw new AssertionError(source);
        System.out.println("ok");
    }
}
