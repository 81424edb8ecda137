// norace
// Both threads read the shared object and write only their own clones; a clone has no history.
import java.util.concurrent.atomic.AtomicInteger;

public class ObjectClone_norace {
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
        Node shared = new Node();
        Runnable work = () -> {
            meet();
            for (int n = 0; n < 200; n++) {
                int seen = shared.x;
                Node mine = shared.copy();
                mine.x += seen;
                mine.data = new int[] {mine.x};
                if (mine.data[0] != 2) throw new AssertionError();
            }
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
