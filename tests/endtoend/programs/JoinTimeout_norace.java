// norace
// Timed joins are repeated until the thread is seen to have ended.
public class JoinTimeout_norace {
    static int x;

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
        for (int i = 0; i < 5; i++) {
            Thread t = thread(() -> {
                x++;
                Thread.sleep(10);
                x++;
            });
            t.start();
            while (t.isAlive()) t.join(1);
            x++;
        }
        if (x != 15) throw new AssertionError(x);
        System.out.println("ok");
    }
}
