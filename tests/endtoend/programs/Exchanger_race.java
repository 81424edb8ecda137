// race: instance Exchanger_race.Box.v
// A thread goes on writing to the box that it has given away.
import java.util.concurrent.Exchanger;

public class Exchanger_race {
    static class Box {
        int v;
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
        Exchanger<Box> exchanger = new Exchanger<>();
        Thread t1 = thread(() -> {
            Box mine = new Box();
            exchanger.exchange(mine);
            mine.v = 1;
        });
        Thread t2 = thread(() -> {
            Box taken = exchanger.exchange(null);
            taken.v = 2;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
