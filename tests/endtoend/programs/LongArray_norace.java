// norace
// Every access of the elements holds the array's own monitor.
public class LongArray_norace {
    public static void main(String[] args) throws Exception {
        long[] a = new long[8];
        Runnable work = () -> {
            for (int i = 0; i < 4000; i++) {
                synchronized (a) {
                    a[i & 7]++;
                }
            }
        };
        Thread t1 = new Thread(work);
        Thread t2 = new Thread(work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (a[0] != 1000 || a[7] != 1000) throw new AssertionError(a[0]);
        System.out.println("ok");
    }
}
