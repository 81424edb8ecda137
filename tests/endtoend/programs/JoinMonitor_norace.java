// norace
// A thread that has ended comes before who joined it; one that has not, before whoever takes its monitor; and an interrupt
// of who joins, before what that does then.
public class JoinMonitor_norace {
    static int x;
    static int y;
    static int z;

    static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Thread main = Thread.currentThread();
        Thread t = new Thread() {
            @Override
            public void run() {
                synchronized (this) {
                    x++;
                }
                while (main.getState() != Thread.State.TIMED_WAITING) Thread.yield();
                y = 1;
                main.interrupt();
                pause(200); // if it ended at once, main might return as from a join
                synchronized (this) {
                    x++;
                }
                z = 1;
            }
        };
        t.start();
        try {
            t.join(60_000);
        } catch (InterruptedException e) {
            if (y != 1) throw new AssertionError(y);
        }
        synchronized (t) {
            x++;
        }
        t.join();
        if (x != 3 || z != 1) throw new AssertionError(x + " " + z);
        System.out.println("ok");
    }
}
