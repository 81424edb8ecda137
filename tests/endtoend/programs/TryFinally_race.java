// race: static TryFinally_race.count
// The finally block changes the count, whether the body returns or throws.
import java.util.concurrent.atomic.AtomicInteger;

public class TryFinally_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static int count;

    static int run(boolean fail) {
        try {
            if (fail) throw new IllegalStateException();
            return 1;
        } catch (IllegalStateException e) {
            return 2;
        } finally {
            meet();
            count++;
        }
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(() -> {
            run(true);
        });
        Thread t2 = new Thread(() -> {
            run(false);
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
