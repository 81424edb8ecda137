// race: instance AtomicReference_race.Box.v
// The box is written to after it was published.
import java.util.concurrent.atomic.AtomicReference;

public class AtomicReference_race {
    static class Box {
        int v;
    }

    public static void main(String[] args) throws Exception {
        AtomicReference<Box> ref = new AtomicReference<>();
        Thread t1 = new Thread(() -> {
            Box b = new Box();
            ref.set(b);
            b.v = 1;
        });
        Thread t2 = new Thread(() -> {
            while (ref.get() == null) Thread.yield();
            ref.get().v = 2;
        });
        // The waiting thread first: the end of t1 must not be able to order anything before the start of t2.
        t2.start();
        t1.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
