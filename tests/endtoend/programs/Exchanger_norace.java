// norace
// Two threads exchange their boxes and go on with what they got.
import java.util.concurrent.Exchanger;

public class Exchanger_norace {
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
        Body work = () -> {
            Box mine = new Box();
            for (int i = 0; i < 100; i++) {
                mine.v++;
                mine = exchanger.exchange(mine);
            }
            if (mine.v != 100) throw new AssertionError(mine.v);
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
