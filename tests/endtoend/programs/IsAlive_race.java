// race: static IsAlive_race.x
// That a thread is still alive says nothing about what it has done.
public class IsAlive_race {
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
        if (!t.isAlive()) throw new AssertionError();
        int seen = x;
        stop = true;
        t.join();
        System.out.println("ok");
    }
}
