// race: static ReadShared_race.x
// Two threads only read, which is no conflict; the third one writes while they may still read.
import java.util.concurrent.CyclicBarrier;

public class ReadShared_race {
    static final CyclicBarrier START = new CyclicBarrier(3);
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
        Thread t1 = thread(() -> {
            START.await();
            int seen = x;
        });
        Thread t2 = thread(() -> {
            START.await();
            int seen = x;
        });
        Thread t3 = thread(() -> {
            START.await();
            x = 1;
        });
        t1.start();
        t2.start();
        t3.start();
        t1.join();
        t2.join();
        t3.join();
        System.out.println("ok");
    }
}
