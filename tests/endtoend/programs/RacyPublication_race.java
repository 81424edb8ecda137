// race: static RacyPublication_race.config
// The reference is published by a race; the final field behind it is safe to read all the same.
import java.util.concurrent.atomic.AtomicInteger;

public class RacyPublication_race {
    static final AtomicInteger GATE = new AtomicInteger();

    static class Config {
        final int size;
        final int[] table;

        Config(int n) {
            size = n;
            table = new int[] {n};
        }
    }

    static Config config;

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        new Config(1);
        Thread t1 = new Thread(() -> {
            meet();
            config = new Config(3);
        });
        Thread t2 = new Thread(() -> {
            meet();
            Thread.yield();
            Config c = config;
            if (c != null && c.table[0] != c.size) throw new AssertionError();
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
