// norace
// Operations of a VarHandle by method handles hand over what was written before.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;

public class HandleOfVar_norace {
    static final MethodHandle GET, SET;
    static boolean flag;
    static int data;

    static {
        try {
            VarHandle v = MethodHandles.lookup().findStaticVarHandle(HandleOfVar_norace.class, "flag", boolean.class);
            GET = MethodHandles.varHandleInvoker(VarHandle.AccessMode.GET_ACQUIRE, MethodType.methodType(boolean.class)).bindTo(v);
            SET = v.toMethodHandle(VarHandle.AccessMode.SET_RELEASE);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static void set(boolean value) {
        try {
            SET.invokeExact(value);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static boolean get() {
        try {
            return (boolean) GET.invokeExact();
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
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
            if (data < 0) throw new AssertionError();
        });
        // The waiting thread first: the end of t1 must not be able to order anything before the start of t2.
        t2.start();
        t1.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
