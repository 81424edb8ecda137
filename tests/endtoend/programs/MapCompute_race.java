// race: static MapCompute_race.x
// compute excludes others for one key only; the two threads compute different keys.
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

public class MapCompute_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static int x;

    static Integer bump(Integer old) {
        meet();
        x++;
        return old;
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
        map.put(1, 1);
        map.put(2, 2);
        Thread t1 = new Thread(() -> {
            map.compute(1, (k, old) -> bump(old));
        });
        Thread t2 = new Thread(() -> {
            map.compute(2, (k, old) -> bump(old));
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
