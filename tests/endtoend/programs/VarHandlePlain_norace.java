// norace
// Plain accesses by VarHandle are under a lock, like any other.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class VarHandlePlain_norace {
    static final VarHandle FLAG;
    static boolean flag;
    static int data;

    static {
        try {
            FLAG = MethodHandles.lookup().findStaticVarHandle(VarHandlePlain_norace.class, "flag", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static void set(boolean value) {
        FLAG.set(value);
    }

    static boolean get() {
        return (boolean) FLAG.get();
    }

    public static void main(String[] args) throws Exception {
        Runnable work = () -> {
            for (int i = 0; i < 1000; i++) {
                synchronized (FLAG) {
                    set(!get());
                    data++;
                }
            }
        };
        Thread t1 = new Thread(work);
        Thread t2 = new Thread(work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (get() || data != 2000) throw new AssertionError(data);
        System.out.println("ok");
    }
}
