import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Two threads hand arrays to each other, one writing all elements and one reading them. Nobody allocates. */
public class HandOver {
    /** Bytes for each hand-over: the runs of an array take 168, twice each time if none were used again. */
    private static final int ALLOWED = 2;

    /** One thread puts, one takes, both at the same time. */
    static final class Ring {
        private final int[][] arrays = new int[256][];
        private volatile int put, taken;

        void put(int[] a) {
            while (put - taken == arrays.length) Thread.yield();
            arrays[put % arrays.length] = a;
            put++;
        }

        int[] take() {
            while (put == taken) Thread.yield();
            int[] a = arrays[taken % arrays.length];
            taken++;
            return a;
        }
    }

    private static final Ring FULL = new Ring(), EMPTY = new Ring();
    private static long sum, allocated;

    private static synchronized void add(long s, long bytes) {
        sum += s;
        allocated += bytes;
    }

    private static long bytes() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    private static void write(int n) {
        long before = bytes();
        for (int k = 0; k < n; k++) {
            int[] a = EMPTY.take();
            for (int i = 0; i < a.length; i++) a[i] = k;
            FULL.put(a);
        }
        add(0, bytes() - before);
    }

    private static void read(int n) {
        long before = bytes(), s = 0;
        for (int k = 0; k < n; k++) {
            int[] a = FULL.take();
            for (int i = 0; i < a.length; i++) s += a[i] - k;
            EMPTY.put(a);
        }
        add(s, bytes() - before);
    }

    public static void main(String[] args) throws Exception {
        int n = Integer.parseInt(args[0]);
        bytes(); // loads what it needs
        for (int i = 0; i < 256; i++) EMPTY.put(new int[64]);
        Thread writer = new Thread(() -> write(n)), reader = new Thread(() -> read(n));
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        if (sum != 0) throw new IllegalStateException("sum " + sum);
        if (allocated / n >= ALLOWED) throw new IllegalStateException(allocated / n + " bytes per array");
        System.out.println("ok");
    }
}
