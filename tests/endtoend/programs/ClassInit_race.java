// race: static ClassInit_race.Holder.size
// The class was initialised before; later writes to its static field are ordered by nothing.
import java.util.concurrent.atomic.AtomicInteger;

public class ClassInit_race {
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
        if (Holder.size != 3) throw new AssertionError();
        Thread t1 = new Thread(() -> {
            meet();
            Holder.size = 4;
        });
        Thread t2 = new Thread(() -> {
            meet();
            Holder.size = 5;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
