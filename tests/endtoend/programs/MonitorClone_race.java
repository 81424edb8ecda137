// race: static MonitorClone_race.x
// A clone has a monitor of its own, whatever else it has from its model.
import java.util.concurrent.atomic.AtomicInteger;

public class MonitorClone_race implements Cloneable {
    static final AtomicInteger GATE = new AtomicInteger();
    static int x;

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    synchronized void add() {
        x++;
    }

    public static void main(String[] args) throws Exception {
        MonitorClone_race model = new MonitorClone_race();
        model.add();
        MonitorClone_race copy = (MonitorClone_race) model.clone();
        Thread t1 = new Thread(() -> {
            meet();
            model.add();
        });
        Thread t2 = new Thread(() -> {
            meet();
            copy.add();
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
