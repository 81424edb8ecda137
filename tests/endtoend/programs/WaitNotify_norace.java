// norace
// Two threads take turns by wait and notify; the data is used by whoever has the turn.
public class WaitNotify_norace {
    static final Object LOCK = new Object();
    static int turn;
    static int data;

    static void play(int me) throws InterruptedException {
        for (int i = 0; i < 300; i++) {
            synchronized (LOCK) {
                while (turn != me) LOCK.wait();
            }
            data++;
            synchronized (LOCK) {
                turn = 1 - me;
                LOCK.notify();
            }
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
            play(0);
        });
        Thread t2 = thread(() -> {
            play(1);
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (data != 600) throw new AssertionError(data);
        System.out.println("ok");
    }
}
