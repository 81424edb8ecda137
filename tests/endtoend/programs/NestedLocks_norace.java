// norace
// The inner lock of one thread is the only lock of the other: one common lock is enough.
public class NestedLocks_norace {
    static final Object A = new Object(), B = new Object();
    static int x;

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(() -> {
            for (int i = 0; i < 3000; i++) {
                synchronized (A) {
                    synchronized (B) {
                        x++;
                    }
                }
            }
        });
        Thread t2 = new Thread(() -> {
            for (int i = 0; i < 3000; i++) {
                synchronized (B) {
                    x++;
                }
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (x != 6000) throw new AssertionError(x);
        System.out.println("ok");
    }
}
