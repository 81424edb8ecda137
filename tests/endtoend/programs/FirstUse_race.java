// race: static FirstUse_race.x
// Each thread uses a class for the first time beside its access. Loading a class takes locks inside the JDK, one thread after
// the other here, but that is no order to rely on: the flag, which is opaque, makes none either.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class FirstUse_race {
    static final VarHandle DONE;
    static int x, done;

    static {
        try {
            DONE = MethodHandles.lookup().findStaticVarHandle(FirstUse_race.class, "done", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static class One {}

    static class Two {}

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(() -> {
            x = 1;
            new One();
            DONE.setOpaque(1);
        });
        Thread t2 = new Thread(() -> {
            while ((int) DONE.getOpaque() == 0) Thread.onSpinWait();
            new Two();
            x = 2;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
