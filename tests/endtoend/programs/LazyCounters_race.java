// race: static LazyCounters_race.instance
// race: instance LazyCounters_race.Stats.hits
// may: instance LazyCounters_race.Stats.last
// A singleton made by whoever comes first; its counters hang on a final field, and everybody counts.
import java.util.concurrent.atomic.AtomicInteger;

public class LazyCounters_race {
    static final AtomicInteger GATE = new AtomicInteger();

    static class Stats {
        int hits, last;
    }

    final Stats stats = new Stats();
    static LazyCounters_race instance;

    static LazyCounters_race get() {
        if (instance == null) instance = new LazyCounters_race();
        return instance;
    }

    static void count(int n) {
        for (int i = 0; i < n; i++) {
            Stats s = get().stats;
            s.hits++;
            if (s.last < i) s.last = i;
        }
    }

    public static void main(String[] args) throws Exception {
        count(1);
        instance = null;
        Runnable counter = () -> {
            GATE.incrementAndGet();
            while (GATE.get() < 2) Thread.yield();
            count(10_000);
        };
        Thread t1 = new Thread(counter), t2 = new Thread(counter);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
