// norace
// The opaque flag itself does not race; the data is handed over by the join.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class VarHandleOpaque_norace {
    static final VarHandle FLAG;
    static boolean flag;
    static int data;

    static {
        try {
            FLAG = MethodHandles.lookup().findStaticVarHandle(VarHandleOpaque_norace.class, "flag", boolean.class);
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
        Thread t1 = new Thread(() -> {
            data = 42;
            set(true);
        });
        Thread t2 = new Thread(() -> {
            while (!get()) Thread.yield();
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (data != 42) throw new AssertionError(data);
        System.out.println("ok");
    }
}
