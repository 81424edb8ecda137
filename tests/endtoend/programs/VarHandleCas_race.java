// race: static VarHandleCas_race.data
// A spin lock of plain compare-and-set and opaque stores excludes, but orders nothing.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;

public class VarHandleCas_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static final VarHandle FLAG;
    static boolean flag;
    static int data;

    static {
        try {
            FLAG = MethodHandles.lookup().findStaticVarHandle(VarHandleCas_race.class, "flag", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static void lock() {
        while (!FLAG.weakCompareAndSetPlain(false, true)) Thread.yield();
    }

    static void unlock() {
        FLAG.setOpaque(false);
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        // Links the calls here: what linking synchronises on must not order the threads.
        lock();
        unlock();
        Runnable work = () -> {
            meet();
            lock();
            data++;
            unlock();
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
