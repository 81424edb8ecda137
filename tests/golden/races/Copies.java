import java.util.concurrent.atomic.AtomicReference;

// Objects that are still their thread's own: a clone, and what compareAndSet did not store.  Near misses: what
// the clone shares with its original, and an object that was stored.
public class Copies implements Cloneable {
    int own;
    int[] shared = {1};

    static final class Node {
        int filled, late;
        Node next;
    }

    static final AtomicReference<Node> TOP = new AtomicReference<>();

    Copies copy() {
        try {
            return (Copies) super.clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    static void work(Copies original) {
        Copies mine = original.copy();
        mine.own++;
        mine.shared[0]++; // race: the clone holds the same array
        Node n = new Node();
        n.filled = 1;
        do {
            n.next = TOP.get();
        } while (!TOP.compareAndSet(n.next, n));
        n.late = 1; // race: others have it by now
        Node top = TOP.get();
        if (top != null && top.next != null) System.out.println(top.filled + top.late);
    }

    public static void main(String[] args) throws InterruptedException {
        Copies original = new Copies();
        Thread[] threads = new Thread[2];
        for (int i = 0; i < 2; i++) {
            threads[i] = new Thread(() -> work(original));
            threads[i].start();
        }
        for (Thread t : threads) t.join();
    }
}
