// norace
// Int, long and reference field updaters act on volatile fields and hand the data on.
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

public class FieldUpdater_norace {
    static final AtomicIntegerFieldUpdater<FieldUpdater_norace> INT =
            AtomicIntegerFieldUpdater.newUpdater(FieldUpdater_norace.class, "i");
    static final AtomicLongFieldUpdater<FieldUpdater_norace> LONG =
            AtomicLongFieldUpdater.newUpdater(FieldUpdater_norace.class, "l");
    static final AtomicReferenceFieldUpdater<FieldUpdater_norace, int[]> REF =
            AtomicReferenceFieldUpdater.newUpdater(FieldUpdater_norace.class, int[].class, "r");
    volatile int i;
    volatile long l;
    volatile int[] r;
    int data;

    public static void main(String[] args) throws Exception {
        FieldUpdater_norace o = new FieldUpdater_norace();
        Thread t1 = new Thread(() -> {
            for (int n = 0; n < 100; n++) {
                while (INT.get(o) != n) Thread.yield();
                o.data++;
                LONG.incrementAndGet(o);
            }
            while (INT.get(o) != 100) Thread.yield();
            REF.compareAndSet(o, null, new int[] {o.data});
        });
        Thread t2 = new Thread(() -> {
            for (int n = 0; n < 100; n++) {
                while (LONG.get(o) != n + 1) Thread.yield();
                o.data++;
                INT.lazySet(o, n + 1);
            }
            int[] last = null;
            while (last == null) {
                Thread.yield();
                last = REF.get(o);
            }
            if (last[0] != 200) throw new AssertionError(last[0]);
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (o.data != 200) throw new AssertionError(o.data);
        System.out.println("ok");
    }
}
