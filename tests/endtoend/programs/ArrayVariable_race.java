// race: array int[]
// One variable holds first one array and then another; what was read of the first says nothing about the second. Both have
// been read by two threads, in a jumbled order, when an element of the second one is written without order.
import java.util.concurrent.CyclicBarrier;

public class ArrayVariable_race {
    static final int N = 3000;
    static final CyclicBarrier READ = new CyclicBarrier(2);
    static final int[] first = new int[N], second = new int[N], order = new int[N];

    static long readBoth(boolean writes) {
        long sum = 0;
        int[] a = first;
        for (int pass = 0; pass < 2; pass++) {
            if (pass == 1) a = second;
            if (pass == 1 && writes) a[N - 1] = 1;
            for (int round = 0; round < 3; round++) {
                for (int i = 0; i < N - 1; i++) sum += a[order[i]];
            }
        }
        return sum;
    }

    static void work(int id) {
        try {
            readBoth(false);
            READ.await();
            if (id == 0) readBoth(true);
            else second[5] = 1;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < N - 1; i++) order[i] = i * 7 % (N - 1);
        Thread t = new Thread(() -> work(1));
        t.start();
        work(0);
        t.join();
        System.out.println("ok");
    }
}
