// norace
// Elements of int, long and reference atomic arrays hand the data on.
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

public class AtomicArray_norace {
    static class Box {
        int v;
    }

    static final AtomicIntegerArray INTS = new AtomicIntegerArray(100);
    static final AtomicLongArray LONGS = new AtomicLongArray(100);
    static final AtomicReferenceArray<Box> BOXES = new AtomicReferenceArray<>(100);
    static int data;

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(() -> {
            for (int i = 0; i < 100; i++) {
                Box b = new Box();
                b.v = i;
                BOXES.set(i, b);
                while (INTS.get(i) == 0) Thread.yield();
                data++;
                LONGS.incrementAndGet(i);
            }
        });
        Thread t2 = new Thread(() -> {
            for (int i = 0; i < 100; i++) {
                while (BOXES.get(i) == null) Thread.yield();
                BOXES.get(i).v++;
                data++;
                INTS.set(i, 1);
                while (LONGS.get(i) == 0) Thread.yield();
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (data != 200 || BOXES.get(99).v != 100) throw new AssertionError(data);
        System.out.println("ok");
    }
}
