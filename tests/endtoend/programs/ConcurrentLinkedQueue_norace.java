// norace
// Elements belong to the producer until offered and to the consumer once polled.
import java.util.concurrent.ConcurrentLinkedQueue;

public class ConcurrentLinkedQueue_norace {
    static class Box {
        int v;
    }

    public static void main(String[] args) throws Exception {
        ConcurrentLinkedQueue<Box> queue = new ConcurrentLinkedQueue<>();
        Thread t1 = new Thread(() -> {
            for (int i = 0; i < 300; i++) {
                Box b = new Box();
                b.v = i;
                queue.offer(b);
            }
        });
        Thread t2 = new Thread(() -> {
            for (int i = 0; i < 300; i++) {
                Box b;
                while ((b = queue.poll()) == null) Thread.yield();
                if (b.v++ != i) throw new AssertionError(i);
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
