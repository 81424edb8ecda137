// race: static CyclicBarrier_race.x
// Both threads write in the same phase, after the barrier.
import java.util.concurrent.CyclicBarrier;

public class CyclicBarrier_race {
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
        CyclicBarrier barrier = new CyclicBarrier(2);
        Body work = () -> {
            barrier.await();
            x++;
        };
        Thread t1 = thread(work);
        Thread t2 = thread(work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
