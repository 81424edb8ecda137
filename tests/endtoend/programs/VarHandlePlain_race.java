// race: static VarHandlePlain_race.data
// may: static VarHandlePlain_race.flag
// A plain set releases nothing, even to a getAcquire that sees it.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;

public class VarHandlePlain_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static final VarHandle FLAG;
    static boolean flag;
    static int data;

    static {
        try {
            FLAG = MethodHandles.lookup().findStaticVarHandle(VarHandlePlain_race.class, "flag", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static void set(boolean value) {
        FLAG.set(value);
    }

    static boolean get() {
        return (boolean) FLAG.getAcquire();
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    interface Body {
        void run() throws Exception;
    }

    static Thread thread(Body body) {
        return new Thread(() -> {
            try {
                body.run();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    public static void main(String[] args) throws Exception {
        // Links the calls here: what linking synchronises on must not order the threads.
        set(get());
        Thread t1 = thread(() -> {
            meet();
            data = 1;
            set(true);
        });
        Thread t2 = thread(() -> {
            meet();
            Thread.sleep(20);
            get();
            data = 2;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
