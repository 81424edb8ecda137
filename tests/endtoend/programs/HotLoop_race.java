// race: instance HotLoop_race.Cell.v
// The loop is compiled on private cells before both threads run it on the shared one.
import java.util.concurrent.atomic.AtomicInteger;

public class HotLoop_race {
    static final AtomicInteger GATE = new AtomicInteger();

    static class Cell {
        int v;
    }

    static void bump(Cell c, int n) {
        for (int i = 0; i < n; i++) c.v++;
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 20_000; i++) bump(new Cell(), 20);
        Cell shared = new Cell();
        Runnable work = () -> {
            meet();
            bump(shared, 1000);
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
