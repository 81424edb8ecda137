// race: instance ConcurrentLinkedQueue_race.Box.v
// The producer writes to the element after it has offered it.
import java.util.concurrent.ConcurrentLinkedQueue;

public class ConcurrentLinkedQueue_race {
    static class Box {
        int v;
    }

    public static void main(String[] args) throws Exception {
        ConcurrentLinkedQueue<Box> queue = new ConcurrentLinkedQueue<>();
        Thread t1 = new Thread(() -> {
            Box b = new Box();
            queue.offer(b);
            b.v = 1;
        });
        Thread t2 = new Thread(() -> {
            Box b;
            while ((b = queue.poll()) == null) Thread.yield();
            b.v = 2;
        });
        // The waiting thread first: the end of t1 must not be able to order anything before the start of t2.
        t2.start();
        t1.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
