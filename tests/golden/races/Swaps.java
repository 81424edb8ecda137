import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

// Double buffers that a barrier's action exchanges: each step reads one array anywhere and writes the other.
public class Swaps {
    static final class SwappedOk {
        int[] x = new int[10], y = new int[10];
        final CyclicBarrier barrier = new CyclicBarrier(3, this::swap);

        void swap() {
            int[] t = x;
            x = y;
            y = t;
        }

        void step(int id) {
            int[] in = x, out = y;
            out[id] = in[0] + in[9];
        }

        void work(int id) {
            try {
                for (int i = 0; i < 5; i++) {
                    step(id);
                    barrier.await();
                }
            } catch (InterruptedException | BrokenBarrierException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** The action makes both the same. */
    static final class CopiedBad {
        long[] x = new long[10], y = new long[10];
        final CyclicBarrier barrier = new CyclicBarrier(3, this::copy);

        void copy() {
            x = y;
        }

        void step(int id) {
            long[] in = x, out = y;
            out[id] = in[0] + in[9]; // race
        }

        void work(int id) {
            try {
                for (int i = 0; i < 5; i++) {
                    step(id);
                    barrier.await();
                }
            } catch (InterruptedException | BrokenBarrierException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Both are one from the beginning. */
    static final class OneBad {
        byte[] x = new byte[10], y = x;
        final CyclicBarrier barrier = new CyclicBarrier(3, this::swap);

        void swap() {
            byte[] t = x;
            x = y;
            y = t;
        }

        void step(int id) {
            byte[] in = x, out = y;
            out[id] = (byte) (in[0] + in[9]); // race
        }

        void work(int id) {
            try {
                for (int i = 0; i < 5; i++) {
                    step(id);
                    barrier.await();
                }
            } catch (InterruptedException | BrokenBarrierException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** One thread exchanges them while others still read. */
    static final class EarlyBad {
        short[] x = new short[10], y = new short[10];
        final CyclicBarrier barrier = new CyclicBarrier(3);

        void swap() {
            short[] t = x;
            x = y; // race
            y = t;
        }

        void step(int id) {
            short[] in = x, out = y;
            out[id] = (short) (in[0] + in[9]); // race
        }

        void work(int id) {
            try {
                for (int i = 0; i < 5; i++) {
                    step(id);
                    if (id == 0) swap();
                    barrier.await();
                }
            } catch (InterruptedException | BrokenBarrierException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** What was read before the exchange is used after it. */
    static final class KeptBad {
        char[] x = new char[10], y = new char[10];
        final CyclicBarrier barrier = new CyclicBarrier(3, this::swap);

        void swap() {
            char[] t = x;
            x = y;
            y = t;
        }

        void work(int id) {
            try {
                char[] in = x;
                for (int i = 0; i < 5; i++) {
                    char[] out = y;
                    out[id] = in[0]; // race
                    barrier.await();
                }
            } catch (InterruptedException | BrokenBarrierException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        SwappedOk a = new SwappedOk();
        Thread[] ta = new Thread[3];
        for (int i = 0; i < 3; i++) {
            int id = i;
            ta[i] = new Thread(() -> a.work(id));
            ta[i].start();
        }
        CopiedBad b = new CopiedBad();
        Thread[] tb = new Thread[3];
        for (int i = 0; i < 3; i++) {
            int id = i;
            tb[i] = new Thread(() -> b.work(id));
            tb[i].start();
        }
        OneBad c = new OneBad();
        Thread[] tc = new Thread[3];
        for (int i = 0; i < 3; i++) {
            int id = i;
            tc[i] = new Thread(() -> c.work(id));
            tc[i].start();
        }
        EarlyBad d = new EarlyBad();
        Thread[] td = new Thread[3];
        for (int i = 0; i < 3; i++) {
            int id = i;
            td[i] = new Thread(() -> d.work(id));
            td[i].start();
        }
        KeptBad e = new KeptBad();
        Thread[] te = new Thread[3];
        for (int i = 0; i < 3; i++) {
            int id = i;
            te[i] = new Thread(() -> e.work(id));
            te[i].start();
        }
    }
}
