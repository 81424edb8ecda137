// norace
// Each thread counts in its own thread-local object.
import java.util.concurrent.atomic.AtomicInteger;

public class ThreadLocal_norace {
    static final AtomicInteger GATE = new AtomicInteger();

    static class Box {
        int v;
    }

    static final ThreadLocal<Box> LOCAL = ThreadLocal.withInitial(Box::new);

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Runnable work = () -> {
            meet();
            for (int i = 0; i < 1000; i++) LOCAL.get().v++;
            if (LOCAL.get().v != 1000) throw new AssertionError();
            LOCAL.remove();
        };
        Thread t1 = new Thread(work);
        Thread t2 = new Thread(work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (LOCAL.get().v != 0) throw new AssertionError();
        System.out.println("ok");
    }
}
