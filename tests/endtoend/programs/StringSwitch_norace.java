// norace
// The branches of the switch taken by the two threads write different fields.
import java.util.concurrent.atomic.AtomicInteger;

public class StringSwitch_norace {
    static final AtomicInteger GATE = new AtomicInteger();
    static int x;
    static int y;

    static void run(String op) {
        switch (op) {
            case "Aa" -> x++;
            case "BB" -> y++;
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
            for (int i = 0; i < 500; i++) run("Aa");
        });
        Thread t2 = new Thread(() -> {
            meet();
            for (int i = 0; i < 500; i++) run("BB");
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (x != 500 || y != 500) throw new AssertionError(x);
        System.out.println("ok");
    }
}
