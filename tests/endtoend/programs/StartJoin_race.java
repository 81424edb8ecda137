// race: static StartJoin_race.x
// The starting thread writes after the start, the started one at any time.
import java.util.concurrent.atomic.AtomicInteger;

public class StartJoin_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static int x;

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            meet();
            x = 1;
        });
        t.start();
        meet();
        x = 2;
        t.join();
        System.out.println("ok");
    }
}
