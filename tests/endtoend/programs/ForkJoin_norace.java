// norace
// The halves fill separate ranges; the parent reads them after the join.
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;

public class ForkJoin_norace {
    static class Fill extends RecursiveTask<Integer> {
        final int[] a;
        final int from, to;
        int partial;

        Fill(int[] a, int from, int to) {
            this.a = a;
            this.from = from;
            this.to = to;
        }

        @Override
        protected Integer compute() {
            if (to - from <= 8) {
                for (int i = from; i < to; i++) partial += a[i] = i;
                return partial;
            }
            int mid = (from + to) / 2;
            Fill left = new Fill(a, from, mid);
            Fill right = new Fill(a, mid, to);
            left.fork();
            int sum = right.compute() + left.join();
            partial = left.partial + right.partial;
            if (a[from] != from || a[mid] != mid) throw new AssertionError(from);
            return sum;
        }
    }

    public static void main(String[] args) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(3);
        for (int i = 0; i < 5; i++) {
            int[] a = new int[1024];
            Fill fill = new Fill(a, 0, a.length);
            int sum = pool.invoke(fill);
            if (sum != 1023 * 512 || fill.partial != sum || a[1023] != 1023) throw new AssertionError(sum);
        }
        pool.shutdown();
        System.out.println("ok");
    }
}
