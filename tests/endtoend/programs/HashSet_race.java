// race: container java.util.HashSet
// One thread adds an element while the other asks for one.
import java.util.HashSet;
import java.util.concurrent.atomic.AtomicInteger;

public class HashSet_race {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        HashSet<Integer> set = new HashSet<>();
        Thread t1 = new Thread(() -> {
            meet();
            set.add(1);
        });
        Thread t2 = new Thread(() -> {
            meet();
            set.contains(1);
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
