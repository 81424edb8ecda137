// norace
// A stack linked by compareAndSet hands filled nodes to the thread that pops them.
import java.util.concurrent.atomic.AtomicReference;

public class AtomicReference_norace {
    static class Node {
        int v;
        Node next;
    }

    static final AtomicReference<Node> TOP = new AtomicReference<>();

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(() -> {
            for (int i = 1; i <= 500; i++) {
                Node n = new Node();
                n.v = i;
                do {
                    n.next = TOP.get();
                } while (!TOP.compareAndSet(n.next, n));
            }
        });
        Thread t2 = new Thread(() -> {
            int sum = 0;
            while (sum < 500 * 501 / 2) {
                Node n = TOP.getAndSet(null);
                if (n == null) Thread.yield();
                for (; n != null; n = n.next) sum += n.v;
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
