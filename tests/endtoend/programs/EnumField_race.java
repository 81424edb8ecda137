// race: instance EnumField_race.Level.cost
// Enum constants are shared objects; both threads change a field of one.
import java.util.concurrent.atomic.AtomicInteger;

public class EnumField_race {
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
        Level.LOW.cost = 5;
        Thread t1 = new Thread(() -> {
            meet();
            Level.HIGH.cost = 3;
        });
        Thread t2 = new Thread(() -> {
            meet();
            Level.HIGH.cost = 4;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
