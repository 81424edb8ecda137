// norace
// The writers lock; the reader need not, for it has joined them.
public class LockOneSide_norace {
    static final Object LOCK = new Object();
    static int x;

    public static void main(String[] args) throws Exception {
        Runnable work = () -> {
            for (int i = 0; i < 2000; i++) {
                synchronized (LOCK) {
                    x++;
                }
            }
        };
        Thread t1 = new Thread(work);
        Thread t2 = new Thread(work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (x != 4000) throw new AssertionError(x);
        System.out.println("ok");
    }
}
