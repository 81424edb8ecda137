// race: container Subclass_race.Names
// race: container Subclass_race$1
// race: container Subclass_race.Keys
// Subclasses of collections that leave their methods as they are, called by their own name, by an interface and by super.
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

public class Subclass_race {
    static final AtomicInteger GATE = new AtomicInteger();

    static class Names extends ArrayList<String> {
        void twice(String s) {
            super.add(s);
            add(s);
        }
    }

    static class Keys extends HashSet<Integer> {}

    static final Names NAMES = new Names();
    static final Keys KEYS = new Keys();
    static final Map<Integer, String> CACHE = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, String> e) {
            return size() > 3;
        }
    };

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(() -> {
            meet();
            NAMES.twice("a");
            CACHE.put(1, "a");
            KEYS.add(1);
        });
        Thread t2 = new Thread(() -> {
            meet();
            boolean none = NAMES.isEmpty();
            String seen = CACHE.get(2);
            for (int key : KEYS) none &= key > 0;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
