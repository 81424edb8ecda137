// race: static VarHandleAcquire_race.data
// The release publishes only what came before it.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class VarHandleAcquire_race {
    static final VarHandle FLAG;
    static boolean flag;
    static int data;

    static {
        try {
            FLAG = MethodHandles.lookup().findStaticVarHandle(VarHandleAcquire_race.class, "flag", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static void set(boolean value) {
        FLAG.setRelease(value);
    }

    static boolean get() {
        return (boolean) FLAG.getAcquire();
    }

    public static void main(String[] args) throws Exception {
        // Links the calls here: what linking synchronises on must not order the threads.
        set(get());
        Thread t1 = new Thread(() -> {
            set(true);
            data = 1;
        });
        Thread t2 = new Thread(() -> {
            while (!get()) Thread.yield();
            data = 2;
        });
        // The waiting thread first: the end of t1 must not be able to order anything before the start of t2.
        t2.start();
        t1.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
