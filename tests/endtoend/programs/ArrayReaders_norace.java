// norace
// Two workers read a whole array again and again, and between barriers one of them writes all of it anew.
import java.util.concurrent.CyclicBarrier;

public class ArrayReaders_norace {
    static final int N = 3000, ROUNDS = 40;
    static final CyclicBarrier READ = new CyclicBarrier(2), WRITTEN = new CyclicBarrier(2);
    static final int[] data = new int[N];

    static long sum() {
        long sum = 0;
        for (int i = 0; i < N; i++) sum += data[i];
        return sum;
    }

    static void fill(int value) {
        for (int i = 0; i < N; i++) data[i] = value;
    }

    static void work(int id) {
        try {
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < 3; i++) {
                    synchronized (new Object()) { // a new epoch
                        sum();
                    }
                }
                READ.await();
                if (id == round % 2) fill(round);
                WRITTEN.await();
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        fill(1);
        Thread a = new Thread(() -> work(0)), b = new Thread(() -> work(1));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println("ok");
    }
}
