// race: array int[]
// Two workers read all elements in a jumbled order and write their halves between barriers; once one writes too early,
// over elements that many sets of reads have stood in before.
import java.util.concurrent.CyclicBarrier;

public class SharedElements_race {
    static final int N = 600, ROUNDS = 40;
    /** Two: who wakes late from one must not be ordered by it after what the other thread did since. */
    static final CyclicBarrier READ = new CyclicBarrier(2), WRITTEN = new CyclicBarrier(2);
    static final int[] data = new int[N];

    static void work(int id) {
        int[] order = new int[N];
        for (int i = 0; i < N; i++) order[i] = i * 7 % N;
        long sum = 0;
        try {
            for (int round = 0; round < ROUNDS; round++) {
                for (int k = 0; k < 3 * N; k++) sum += data[order[k % N]];
                if (round == 30 && id == 0) data[order[7]] = round;
                READ.await();
                for (int i = id * N / 2; i < (id + 1) * N / 2; i++) data[i] = round;
                WRITTEN.await();
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        if (sum < 0) throw new AssertionError(sum);
    }

    public static void main(String[] args) throws Exception {
        Thread t0 = new Thread(() -> work(0)), t1 = new Thread(() -> work(1));
        t0.start();
        t1.start();
        t0.join();
        t1.join();
        System.out.println("ok");
    }
}
