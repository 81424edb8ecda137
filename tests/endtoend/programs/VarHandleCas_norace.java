// norace
// Spin locks of compareAndSet with setVolatile, and of getAndSetAcquire with setRelease.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class VarHandleCas_norace {
    static final VarHandle FLAG;
    static boolean flag;
    static int data;

    static {
        try {
            FLAG = MethodHandles.lookup().findStaticVarHandle(VarHandleCas_norace.class, "flag", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static void lock() {
        while (!FLAG.compareAndSet(false, true)) Thread.yield();
    }

    static void unlock() {
        FLAG.setVolatile(false);
    }

    static final VarHandle WORD = MethodHandles.arrayElementVarHandle(int[].class);
    static int more;

    public static void main(String[] args) throws Exception {
        int[] word = new int[1];
        Runnable work = () -> {
            for (int i = 0; i < 500; i++) {
                lock();
                data++;
                unlock();
                while ((int) WORD.getAndSetAcquire(word, 0, 1) != 0) Thread.yield();
                more++;
                WORD.setRelease(word, 0, 0);
            }
        };
        Thread t1 = new Thread(work);
        Thread t2 = new Thread(work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (data != 1000 || more != 1000) throw new AssertionError(data);
        System.out.println("ok");
    }
}
