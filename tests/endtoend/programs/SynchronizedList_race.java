// race: instance SynchronizedList_race.Box.v
// The list is synchronized, its elements are not.
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

public class SynchronizedList_race {
    static final AtomicInteger GATE = new AtomicInteger();

    static class Box {
        int v;
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        List<Box> list = Collections.synchronizedList(new ArrayList<>());
        list.add(new Box());
        Runnable work = () -> {
            meet();
            list.get(0).v++;
        };
        Thread t1 = new Thread(work);
        Thread t2 = new Thread(work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
