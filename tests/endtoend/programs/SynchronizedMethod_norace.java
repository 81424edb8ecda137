// norace
// A synchronized method and a synchronized block on the same object share one lock.
public class SynchronizedMethod_norace {
    int total;

    synchronized void add() {
        total++;
    }

    public static void main(String[] args) throws Exception {
        SynchronizedMethod_norace a = new SynchronizedMethod_norace();
        Thread t1 = new Thread(() -> {
            for (int i = 0; i < 3000; i++) a.add();
        });
        Thread t2 = new Thread(() -> {
            for (int i = 0; i < 3000; i++) {
                synchronized (a) {
                    a.total--;
                }
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (a.total != 0) throw new AssertionError(a.total);
        System.out.println("ok");
    }
}
