// norace
// Both threads iterate over the same list at once; each removes through iterators of its own lists only. The iterator of an
// EnumSet looks at a copy.
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

public class Iterator_norace {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    static void own(List<Integer> shared) {
        List<Integer> mine = new ArrayList<>();
        for (int i : shared) mine.add(i);
        Iterator<Integer> it = mine.iterator();
        while (it.hasNext()) {
            if (it.next() == 2) it.remove();
        }
        if (mine.size() != 2) throw new AssertionError(mine);
    }

    public static void main(String[] args) throws Exception {
        List<Integer> shared = new ArrayList<>(List.of(1, 2, 3));
        EnumSet<TimeUnit> units = EnumSet.allOf(TimeUnit.class);
        Iterator<TimeUnit> copy = units.iterator();
        Thread t1 = new Thread(() -> {
            meet();
            copy.next();
            own(shared);
        });
        Thread t2 = new Thread(() -> {
            meet();
            units.remove(TimeUnit.DAYS);
            own(shared);
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (shared.size() != 3) throw new AssertionError(shared);
        System.out.println("ok");
    }
}
