// race: static StringSwitch_race.x
// Two branches of a switch on strings (with equal hash codes) write one field.
import java.util.concurrent.atomic.AtomicInteger;

public class StringSwitch_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static int x;

    static void run(String op) {
        switch (op) {
            case "Aa" -> x++;
            case "BB" -> x++;
            case "reset" -> x = 0;
            default -> throw new AssertionError(op);
        }
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(() -> {
            meet();
            run("Aa");
        });
        Thread t2 = new Thread(() -> {
            meet();
            run("BB");
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
