// norace
// A timed wait that ends without a notification has taken the lock again.
public class WaitTimeout_norace {
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
            Thread.sleep(30);
            synchronized (LOCK) {
                data = 42;
                ready = true;
            }
        });
        Thread t2 = thread(() -> {
            synchronized (LOCK) {
                while (!ready) LOCK.wait(2);
                if (data != 42) throw new AssertionError(data);
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
