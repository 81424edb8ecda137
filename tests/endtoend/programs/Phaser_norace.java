// norace
// In each phase one of the threads has the turn; arriving and awaiting orders the phases.
import java.util.concurrent.Phaser;

public class Phaser_norace {
    static int x;

    public static void main(String[] args) throws Exception {
        Phaser phaser = new Phaser(2);
        Thread t1 = new Thread(() -> {
            for (int p = 0; p < 60; p++) {
                if (p % 2 == 0) x++;
                phaser.arriveAndAwaitAdvance();
            }
            phaser.arriveAndDeregister();
        });
        Thread t2 = new Thread(() -> {
            for (int p = 0; p < 60; p++) {
                if (p % 2 == 1) x++;
                phaser.arriveAndAwaitAdvance();
            }
            phaser.arriveAndDeregister();
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (x != 60) throw new AssertionError(x);
        System.out.println("ok");
    }
}
