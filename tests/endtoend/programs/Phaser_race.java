// race: static Phaser_race.x
// One thread only arrives and does not wait; it writes while the other is in the next phase.
import java.util.concurrent.Phaser;

public class Phaser_race {
    static int x;

    public static void main(String[] args) throws Exception {
        Phaser phaser = new Phaser(2);
        Thread t1 = new Thread(() -> {
            phaser.arrive();
            x = 1;
        });
        Thread t2 = new Thread(() -> {
            phaser.arriveAndAwaitAdvance();
            x = 2;
        });
        // The waiting thread first: the end of t1 must not be able to order anything before the start of t2.
        t2.start();
        t1.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
