// race: container java.util.ArrayDeque
// One thread appends while the other looks at the head.
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;

public class ArrayDeque_race {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        ArrayDeque<Integer> deque = new ArrayDeque<>();
        Thread t1 = new Thread(() -> {
            meet();
            deque.addLast(1);
        });
        Thread t2 = new Thread(() -> {
            meet();
            deque.peekFirst();
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
