// norace
// A spin lock made of an AtomicBoolean guards the field.
import java.util.concurrent.atomic.AtomicBoolean;

public class AtomicBoolean_norace {
    static int x;

    static void lock(AtomicBoolean b) {
        while (!b.compareAndSet(false, true)) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        AtomicBoolean a = new AtomicBoolean();
        Runnable work = () -> {
            for (int i = 0; i < 1000; i++) {
                lock(a);
                x++;
                a.set(false);
            }
        };
        Thread t1 = new Thread(work);
        Thread t2 = new Thread(work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (x != 2000) throw new AssertionError(x);
        System.out.println("ok");
    }
}
