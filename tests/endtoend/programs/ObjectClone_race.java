// race: array int[]
// A clone is shallow: the two copies share one array, and both threads write to it.
import java.util.concurrent.atomic.AtomicInteger;

public class ObjectClone_race {
    static final AtomicInteger GATE = new AtomicInteger();

    static class Node implements Cloneable {
        int x = 1;
        int[] data = {1, 2};

        Node copy() {
            try {
                return (Node) super.clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Node one = new Node();
        Node two = one.copy();
        Thread t1 = new Thread(() -> {
            meet();
            one.data[0] = 3;
        });
        Thread t2 = new Thread(() -> {
            meet();
            two.data[0] = 4;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
