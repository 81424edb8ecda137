// norace
// The halves of the array change hands at every barrier; the barrier's action adds to the count.
import java.util.concurrent.CyclicBarrier;

public class CyclicBarrier_norace {
    static int phases;

    interface Body {
        void run() throws Exception;
    }

    static Thread thread(Body body) {
        return new Thread(() -> {
            try {
                body.run();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    public static void main(String[] args) throws Exception {
        int[] a = new int[64];
        CyclicBarrier barrier = new CyclicBarrier(2, () -> phases++);
        Thread t1 = thread(() -> {
            for (int p = 0; p < 50; p++) {
                int from = (p + 0) % 2 * 32;
                for (int i = from; i < from + 32; i++) a[i]++;
                barrier.await();
            }
        });
        Thread t2 = thread(() -> {
            for (int p = 0; p < 50; p++) {
                int from = (p + 1) % 2 * 32;
                for (int i = from; i < from + 32; i++) a[i]++;
                barrier.await();
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (phases != 50 || a[0] != 50 || a[63] != 50) throw new AssertionError(phases);
        System.out.println("ok");
    }
}
