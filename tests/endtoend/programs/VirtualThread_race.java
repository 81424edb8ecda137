// min-jdk: 21
// race: static VirtualThread_race.x
// A virtual thread and the main thread write one field after the start.
import java.util.concurrent.atomic.AtomicInteger;

public class VirtualThread_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static int x;

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.onSpinWait();
    }

    public static void main(String[] args) throws Exception {
        Thread t = Thread.ofVirtual().start(() -> {
            meet();
            x = 1;
        });
        meet();
        x = 2;
        t.join();
        System.out.println("ok");
    }
}
