// norace
// A thread that waits before anything is checked: what it is woken for was done while it waited.
public class WaitFirst_norace {
    static final Object LOCK = new Object();
    static int x;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            synchronized (LOCK) {
                x = 42;
                LOCK.notify();
            }
        });
        synchronized (LOCK) {
            t.start();
            LOCK.wait();
            System.out.println(x == 42 ? "ok" : "woken for nothing");
        }
        t.join();
    }
}
