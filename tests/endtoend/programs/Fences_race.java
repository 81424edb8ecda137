// race: static Fences_race.data
// An acquire fence alone orders nothing: the writer has none.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class Fences_race {
    static final VarHandle FLAG;
    static boolean flag;
    static int data;

    static {
        try {
            FLAG = MethodHandles.lookup().findStaticVarHandle(Fences_race.class, "flag", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static void set(boolean value) {
        FLAG.setOpaque(value);
    }

    static boolean get() {
        return (boolean) FLAG.getOpaque();
    }

    public static void main(String[] args) throws Exception {
        // Links the calls here: what linking synchronises on must not order the threads.
        set(get());
        Thread t1 = new Thread(() -> {
            data = 42;
            set(true);
        });
        Thread t2 = new Thread(() -> {
            while (!get()) Thread.yield();
            VarHandle.acquireFence();
            if (data == 0) throw new AssertionError();
        });
        // The waiting thread first: the end of t1 must not be able to order anything before the start of t2.
        t2.start();
        t1.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
