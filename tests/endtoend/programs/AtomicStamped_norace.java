// norace
// Stamped and markable references publish like plain atomic ones.
import java.util.concurrent.atomic.AtomicMarkableReference;
import java.util.concurrent.atomic.AtomicStampedReference;

public class AtomicStamped_norace {
    static class Box {
        int v;
    }

    public static void main(String[] args) throws Exception {
        AtomicStampedReference<Box> stamped = new AtomicStampedReference<>(null, 0);
        AtomicMarkableReference<Box> marked = new AtomicMarkableReference<>(null, false);
        Thread t1 = new Thread(() -> {
            Box b = new Box();
            b.v = 1;
            stamped.compareAndSet(null, b, 0, 7);
            while (!marked.isMarked()) Thread.yield();
            if (b.v++ != 2) throw new AssertionError(b.v);
        });
        Thread t2 = new Thread(() -> {
            int[] stamp = new int[1];
            Box b = null;
            while (b == null) {
                Thread.yield();
                b = stamped.get(stamp);
            }
            if (stamp[0] != 7 || b.v++ != 1) throw new AssertionError(b.v);
            marked.set(b, true);
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
