// race: static WaitFirst_race.x
// A thread that waits before anything is checked: what the other does after it has let go of the monitor is not ordered.
public class WaitFirst_race {
    static final Object LOCK = new Object();
    static int x;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            synchronized (LOCK) {
                LOCK.notify();
            }
            x = 42;
        });
        synchronized (LOCK) {
            t.start();
            LOCK.wait();
        }
        int seen = x;
        t.join();
        System.out.println(seen == 0 || seen == 42 ? "ok" : "torn");
    }
}
