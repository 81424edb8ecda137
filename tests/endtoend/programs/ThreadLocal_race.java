// race: instance ThreadLocal_race.Box.v
// The thread-local variable gives every thread the same object.
import java.util.concurrent.atomic.AtomicInteger;

public class ThreadLocal_race {
    static final AtomicInteger GATE = new AtomicInteger();

    static class Box {
        int v;
    }

    static final Box SHARED = new Box();
    static final ThreadLocal<Box> LOCAL = ThreadLocal.withInitial(() -> SHARED);

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Runnable work = () -> {
            Box mine = LOCAL.get();
            meet();
            mine.v++;
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
