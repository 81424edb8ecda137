// norace
// Each thread owns the array while the volatile turn names it.
public class DoubleArray_norace {
    static volatile int turn;

    public static void main(String[] args) throws Exception {
        double[] a = new double[16];
        Thread t1 = new Thread(() -> {
            for (int round = 0; round < 200; round++) {
                while (turn != 0) Thread.yield();
                for (int i = 0; i < a.length; i++) a[i] += 1;
                turn = 1;
            }
        });
        Thread t2 = new Thread(() -> {
            for (int round = 0; round < 200; round++) {
                while (turn != 1) Thread.yield();
                for (int i = 0; i < a.length; i++) a[i] += 1;
                turn = 0;
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (a[0] != 400 || a[15] != 400) throw new AssertionError(a[0]);
        System.out.println("ok");
    }
}
