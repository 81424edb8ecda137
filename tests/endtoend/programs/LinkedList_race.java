// race: container java.util.LinkedList
// One thread appends while the other asks for the size.
import java.util.LinkedList;
import java.util.concurrent.atomic.AtomicInteger;

public class LinkedList_race {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        LinkedList<Integer> list = new LinkedList<>();
        Thread t1 = new Thread(() -> {
            meet();
            list.addLast(1);
        });
        Thread t2 = new Thread(() -> {
            meet();
            int n = list.size();
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
