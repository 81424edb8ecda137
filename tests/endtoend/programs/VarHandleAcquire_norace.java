// norace
// setRelease and getAcquire of a plain field hand the data over.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class VarHandleAcquire_norace {
    static final VarHandle FLAG;
    static boolean flag;
    static int data;

    static {
        try {
            FLAG = MethodHandles.lookup().findStaticVarHandle(VarHandleAcquire_norace.class, "flag", boolean.class);
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
        Thread t1 = new Thread(() -> {
            data = 42;
            set(true);
        });
        Thread t2 = new Thread(() -> {
            while (!get()) Thread.yield();
            if (data != 42) throw new AssertionError(data);
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
