// norace
// Records are immutable: any number of threads may read them and make new ones.
import java.util.concurrent.atomic.AtomicInteger;

public class RecordField_norace {
    static final AtomicInteger GATE = new AtomicInteger();

    record Point(int x, double y, String name) {
        Point right() {
            return new Point(x + 1, y, name);
        }
    }

    static volatile Point current = new Point(0, 1.5, "p");

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Runnable work = () -> {
            meet();
            for (int i = 0; i < 500; i++) {
                Point p = current;
                current = p.right();
                if (p.y() != 1.5 || !p.name().equals("p")) throw new AssertionError(p.x());
            }
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
