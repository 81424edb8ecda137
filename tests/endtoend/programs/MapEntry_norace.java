// norace
// Entries of maps: each thread sets its own, under the map's lock, of a concurrent map, of a copy, and looks at some that cannot be set.
import java.util.AbstractMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

public class MapEntry_norace {
    static final int N = 200;

    /** Each thread the entries of its own keys; what the map is made of stays as it is. */
    static void setOwn(Map<Integer, Integer> map, int me) {
        for (Map.Entry<Integer, Integer> e : map.entrySet())
            if ((e.getKey() & 1) == me) e.setValue(e.getValue() + 1);
    }

    static void setAll(Map<Integer, Integer> map) {
        for (Map.Entry<Integer, Integer> e : map.entrySet()) e.setValue(e.getValue() + 1);
    }

    /** Values of other keys, by the map itself. */
    static int look(Map<Integer, Integer> map, int me) {
        int sum = 0;
        for (int i = me; i < N; i += 2) sum += map.get(i);
        return sum;
    }

    static Map<Integer, Integer> fill(Map<Integer, Integer> map) {
        for (int i = 0; i < N; i++) map.put(i, i);
        return map;
    }

    public static void main(String[] args) throws Exception {
        Map<Integer, Integer> hashed = fill(new HashMap<>()), linked = fill(new LinkedHashMap<>()), sorted = fill(new TreeMap<>());
        Map<Integer, Integer> locked = fill(new HashMap<>()), concurrent = fill(new ConcurrentHashMap<>());
        Map.Entry<Integer, Integer> fixed = Map.entry(1, 2), first = ((TreeMap<Integer, Integer>) sorted).firstEntry();
        Thread[] threads = new Thread[2];
        for (int k = 0; k < 2; k++) {
            int me = k;
            threads[k] = new Thread(() -> {
                setOwn(hashed, me);
                setOwn(linked, me);
                setOwn(sorted, me);
                look(hashed, me);
                synchronized (locked) {
                    setAll(locked);
                }
                setAll(concurrent);
                Map.Entry<Integer, Integer> copy = new AbstractMap.SimpleEntry<>(fixed);
                copy.setValue(copy.getValue() + first.getValue() + fixed.getValue());
            });
            threads[k].start();
        }
        for (Thread t : threads) t.join();
        int sum = look(hashed, 0) + look(hashed, 1), wanted = N * (N - 1) / 2 + N;
        System.out.println(sum == wanted ? "ok" : "sum " + sum);
    }
}
