// norace
// Threads put and remove entries of their own; another waits until the map tells that all are there, or gone.
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

public class MapCount_norace {
    static final int THREADS = 4, KEYS = 200;
    static final int[] DONE = new int[THREADS];

    /** Each thread removes (or puts) its keys and notes that before the last one. */
    static void run(Set<Integer> keys, boolean puts, BooleanSupplier over) throws Exception {
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            int me = i;
            threads[i] = new Thread(() -> {
                for (int k = me; k < THREADS * KEYS; k += THREADS) {
                    if (k / THREADS == KEYS - 1) DONE[me]++;
                    if (puts) keys.add(k);
                    else keys.remove(k);
                }
            });
            threads[i].start();
        }
        while (!over.getAsBoolean()) Thread.yield();
        for (int i = 0; i < THREADS; i++) DONE[i]++;
        for (Thread t : threads) t.join();
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 5; i++) {
            ConcurrentHashMap<Integer, Boolean> map = new ConcurrentHashMap<>();
            Set<Integer> keys = map.keySet(true);
            run(keys, true, () -> map.size() == THREADS * KEYS);
            run(keys, false, map::isEmpty);
            run(keys, true, () -> map.mappingCount() == THREADS * KEYS);
            run(keys, false, () -> keys.size() == 0);
        }
        System.out.println(DONE[0] == 40 ? "ok" : "done " + DONE[0]);
    }
}
