// norace
// Two workers read the elements of a long and of a short array in any order, and between barriers each writes its half
// anew, one element after the other.
import java.util.concurrent.CyclicBarrier;

public class ArrayGather_norace {
    static final int LONG = 3000, SHORT = 40, ROUNDS = 40;
    static final CyclicBarrier READ = new CyclicBarrier(2), WRITTEN = new CyclicBarrier(2);
    static final int[] many = new int[LONG], few = new int[SHORT];

    static long gather(int[] data, int id) {
        long sum = 0;
        for (int i = 0; i < data.length; i++) sum += data[(i * 37 + id) % data.length];
        return sum;
    }

    static void scatter(int[] data, int id, int value) {
        int half = data.length / 2;
        for (int i = id * half; i < (id + 1) * half; i++) data[i] = value % 3 == 0 ? value : value + i;
    }

    static void work(int id) {
        try {
            for (int round = 0; round < ROUNDS; round++) {
                gather(many, id);
                gather(few, id);
                READ.await();
                scatter(many, id, round);
                scatter(few, id, round);
                WRITTEN.await();
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> work(0)), b = new Thread(() -> work(1));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println("ok");
    }
}
