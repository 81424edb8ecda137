// race: container java.util.ArrayList
// Both threads add to the list through the List interface; the list is not thread-safe.
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

public class ArrayList_race {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        List<Integer> list = new ArrayList<>(16);
        Thread t1 = new Thread(() -> {
            meet();
            list.add(1);
        });
        Thread t2 = new Thread(() -> {
            meet();
            list.add(2);
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
