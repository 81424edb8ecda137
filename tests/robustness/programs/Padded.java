import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A counter among hundreds of fields, as in queues that are padded against false sharing, used by its owner through a VarHandle. */
public class Padded extends Padding {
    private static final int TURNS = 20_000_000;
    private static final VarHandle COUNT;

    private volatile long count;

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(Padded.class, "count", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private void run() {
        for (int i = 0; i < TURNS; i++) COUNT.setRelease(this, (long) COUNT.get(this) + 1);
    }

    public static void main(String[] args) throws InterruptedException {
        Padded[] mine = {new Padded(), new Padded()};
        Thread other = new Thread(mine[1]::run);
        other.start();
        mine[0].run();
        other.join();
        System.out.println(mine[0].count + mine[1].count == 2L * TURNS ? "ok" : "lost");
    }
}
