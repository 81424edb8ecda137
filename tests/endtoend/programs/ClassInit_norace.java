// norace
// Whoever comes first initialises the class; that happens before every other thread's use of it.
import java.util.concurrent.atomic.AtomicInteger;

public class ClassInit_norace {
    static final AtomicInteger GATE = new AtomicInteger();

    static class Holder {
        static int[] table;
        static int size;

        static {
            table = new int[] {1, 2, 3};
            size = table.length;
        }
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Runnable work = () -> {
            meet();
            if (Holder.table[2] != 3 || Holder.size != 3) throw new AssertionError();
        };
        Thread t1 = new Thread(work);
        Thread t2 = new Thread(work);
        Thread t3 = new Thread(work);
        t1.start();
        t2.start();
        t3.start();
        t1.join();
        t2.join();
        t3.join();
        System.out.println("ok");
    }
}
