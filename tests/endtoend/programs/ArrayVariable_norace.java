// norace
// One variable holds first one array and then another. Both have been read by two threads, in a jumbled order; then each
// element is used by one thread alone.
import java.util.concurrent.CyclicBarrier;

public class ArrayVariable_norace {
    static final int N = 3000;
    static final CyclicBarrier READ = new CyclicBarrier(2);
    static final int[] first = new int[N], second = new int[N], order = new int[N];

    static long readBoth(int from, int to, boolean writes) {
        long sum = 0;
        int[] a = first;
        for (int pass = 0; pass < 2; pass++) {
            if (pass == 1) a = second;
            if (pass == 1 && writes) a[from] = 1;
            for (int round = 0; round < 3; round++) {
                for (int i = from; i < to; i++) sum += a[order[i]];
            }
        }
        return sum;
    }

    static void work(int id) {
        try {
            readBoth(0, N, false);
            READ.await();
            readBoth(id * N / 2, (id + 1) * N / 2, true);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        // Jumbled within each half.
        for (int i = 0; i < N; i++) order[i] = i / 1500 * 1500 + i % 1500 * 7 % 1500;
        Thread t = new Thread(() -> work(1));
        t.start();
        work(0);
        t.join();
        System.out.println("ok");
    }
}
