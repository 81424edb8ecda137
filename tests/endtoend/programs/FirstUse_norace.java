// norace
// Each thread uses a class for the first time; its initialiser comes before every use of the class all the same.
import java.util.concurrent.atomic.AtomicInteger;

public class FirstUse_norace {
    static final AtomicInteger GATE = new AtomicInteger();

    static class Table {
        static int[] cells = new int[8];
        static int sum;

        static {
            for (int i = 0; i < cells.length; i++) cells[i] = i;
            for (int c : cells) sum += c;
        }
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    static void use() {
        meet();
        if (Table.cells[3] + Table.sum != 31) throw new AssertionError();
    }

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(FirstUse_norace::use);
        Thread t2 = new Thread(FirstUse_norace::use);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
