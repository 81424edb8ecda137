// norace
// Leaving an inner entry does not release the monitor; waiting inside releases it wholly.
public class Reentrant_norace {
    static final Object LOCK = new Object();
    static int x;

    static synchronized void recurse(int depth) {
        x++;
        if (depth > 0) recurse(depth - 1);
        x++;
    }

    static int turn;
    static int y;

    static void alternate(int me) throws InterruptedException {
        synchronized (LOCK) {
            synchronized (LOCK) {
                while (turn != me) LOCK.wait();
                y++;
            }
            turn = 1 - me;
            y++;
            LOCK.notifyAll();
        }
    }

    interface Body {
        void run() throws Exception;
    }

    static Thread thread(Body body) {
        return new Thread(() -> {
            try {
                body.run();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    public static void main(String[] args) throws Exception {
        Thread t1 = thread(() -> {
            for (int i = 0; i < 200; i++) {
                recurse(3);
                alternate(0);
            }
        });
        Thread t2 = thread(() -> {
            for (int i = 0; i < 200; i++) {
                recurse(3);
                alternate(1);
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (x != 3200 || y != 800) throw new AssertionError(x);
        System.out.println("ok");
    }
}
