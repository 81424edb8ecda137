import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Fields of one name and several types, which obfuscators make: before it runs, each `twinB` and `twinC` is renamed `twinA` in
 * the class file. The volatile one hands data over, also where its other side is a VarHandle.
 */
public class Twins {
    static class Box {
        int twinA;
        long twinB;
        volatile boolean twinC;
        int data;
    }

    static final Box first = new Box(), second = new Box();

    private static void fill(Box b) {
        b.twinA = 1;
        b.twinB = 2;
        b.data = 42;
    }

    private static int sum(Box b) {
        return b.data + b.twinA + (int) b.twinB;
    }

    public static void main(String[] args) throws Exception {
        VarHandle ready = MethodHandles.lookup().findVarHandle(Box.class, args[0], boolean.class);
        Thread writer = new Thread(() -> {
            fill(first);
            first.twinC = true;
            fill(second);
            ready.setVolatile(second, true);
        });
        writer.start();
        while (!(boolean) ready.getVolatile(first)) Thread.onSpinWait();
        while (!second.twinC) Thread.onSpinWait();
        int sum = sum(first) + sum(second);
        writer.join();
        System.out.println(sum == 90 ? "ok" : "sum " + sum);
    }
}
