// race: static JoinTimeout_race.x
// A join that timed out, with the thread still alive, orders nothing.
public class JoinTimeout_race {
    static volatile boolean stop;
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
        Thread t = thread(() -> {
            x = 1;
            while (!stop) Thread.sleep(1);
        });
        t.start();
        t.join(50);
        int seen = x;
        stop = true;
        t.join();
        System.out.println("ok");
    }
}
