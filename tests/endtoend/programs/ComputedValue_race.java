// race: container java.util.HashMap
// may: instance ComputedValue_race.Box.v
// A function makes a value for a map that two threads change: nothing publishes what it has written.
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

public class ComputedValue_race {
    static class Box {
        int v;
    }

    static final Map<Integer, Box> MAP = new HashMap<>();

    static Box find(int k) {
        return MAP.computeIfAbsent(k, key -> {
            Box made = new Box();
            made.v = key;
            return made;
        });
    }

    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void work() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
        int sum = 0;
        try {
            for (int k = 0; k < 3; k++) sum += find(k).v;
        } catch (ConcurrentModificationException e) {
            sum = 0; // the map has noticed
        }
        if (sum < 0) throw new AssertionError(sum);
    }

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(() -> work()), t2 = new Thread(() -> work());
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
