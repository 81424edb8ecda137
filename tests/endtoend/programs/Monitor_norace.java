// norace
// Three threads share two fields under one monitor.
public class Monitor_norace {
    static final Object LOCK = new Object();
    static int x;
    static long y;

    public static void main(String[] args) throws Exception {
        Runnable work = () -> {
            for (int i = 0; i < 3000; i++) {
                synchronized (LOCK) {
                    x++;
                    y += x;
                }
            }
        };
        Thread t1 = new Thread(work);
        Thread t2 = new Thread(work);
        Thread t3 = new Thread(work);
        t1.start();
        t2.start();
        t3.start();
        t1.join();
        t2.join();
        t3.join();
        if (x != 9000 || y != 9000L * 9001 / 2) throw new AssertionError(x);
        System.out.println("ok");
    }
}
