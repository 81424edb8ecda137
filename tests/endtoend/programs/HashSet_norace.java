// norace
// Each thread fills a set of its own; the main thread merges them after joining both.
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

public class HashSet_norace {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Set<Integer> s1 = new HashSet<>();
        Set<Integer> s2 = new HashSet<>();
        Thread t1 = new Thread(() -> {
            meet();
            for (int i = 0; i < 200; i++) s1.add(i * 1);
        });
        Thread t2 = new Thread(() -> {
            meet();
            for (int i = 0; i < 200; i++) s2.add(i * 2);
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        s1.addAll(s2);
        if (s1.size() != 300) throw new AssertionError(s1.size());
        System.out.println("ok");
    }
}
