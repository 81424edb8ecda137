// race: container java.util.ArrayList
// race: container java.util.HashSet
// What an iterator does is done to its list: here it was handed to the thread that removes through it, while the other reads.
// The iterator of a set knows only the map inside.
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

public class Iterator_race {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
        HashSet<Integer> set = new HashSet<>(List.of(1, 2, 3));
        Iterator<Integer> inList = list.iterator();
        Iterator<Integer> inSet = set.iterator();
        inList.next();
        inSet.next();
        Thread t1 = new Thread(() -> {
            meet();
            inList.remove();
            inSet.remove();
        });
        Thread t2 = new Thread(() -> {
            meet();
            list.size();
            set.size();
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
