// race: static StaticSynchronized_race.total
// A static synchronized method locks the class, the other method its object.
import java.util.concurrent.atomic.AtomicInteger;

public class StaticSynchronized_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static int total;

    static synchronized void addStatic() {
        meet();
        total++;
    }

    synchronized void add() {
        meet();
        total++;
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        StaticSynchronized_race o = new StaticSynchronized_race();
        Thread t1 = new Thread(() -> {
            addStatic();
        });
        Thread t2 = new Thread(() -> {
            o.add();
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
