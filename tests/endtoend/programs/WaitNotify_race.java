// race: static WaitNotify_race.data
// The data is written only after the lock of the notification was left.
public class WaitNotify_race {
    static final Object LOCK = new Object();
    static boolean ready;
    static int data;

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
            synchronized (LOCK) {
                ready = true;
                LOCK.notify();
            }
            data = 1;
        });
        Thread t2 = thread(() -> {
            synchronized (LOCK) {
                while (!ready) LOCK.wait();
            }
            int seen = data;
        });
        // The waiting thread first: the end of t1 must not be able to order anything before the start of t2.
        t2.start();
        t1.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
