// norace
// The constants are built by the enum's initialiser, which happens before any other thread's use of the enum.
import java.util.concurrent.atomic.AtomicInteger;

public class EnumField_norace {
    static final AtomicInteger GATE = new AtomicInteger();

    enum Level {
        LOW(1), HIGH(2);

        int cost;

        Level(int cost) {
            this.cost = cost;
        }
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Runnable work = () -> {
            meet();
            int sum = 0;
            for (Level l : Level.values()) sum += l.cost;
            if (sum != 3) throw new AssertionError(sum);
        };
        Thread t1 = new Thread(work);
        Thread t2 = new Thread(work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
