// race: container java.util.PriorityQueue
// One thread offers while the other peeks.
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicInteger;

public class PriorityQueue_race {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        PriorityQueue<Integer> queue = new PriorityQueue<>();
        Thread t1 = new Thread(() -> {
            meet();
            queue.offer(1);
        });
        Thread t2 = new Thread(() -> {
            meet();
            queue.peek();
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
