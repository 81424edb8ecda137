import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/** Races of which it is known what the variable holds: the second thread comes surely later, but by no order. */
public class Values {
    static final class Cell {
        boolean flag;
        byte small;
        char letter, odd;
        short shorter;
        int number;
        long large;
        float half;
        double tenth;
        String text, huge;
        Object nothing = this;
        List<String> list;
    }

    static int shared;
    static boolean done;
    static final VarHandle DONE;

    static {
        try {
            DONE = MethodHandles.lookup().findStaticVarHandle(Values.class, "done", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static void fill(Cell c, boolean[] flags, byte[] bytes, double[] doubles, String[] names) {
        c.flag = true;
        c.small = -3;
        c.letter = 'x';
        c.odd = '\u00e9';
        c.shorter = 300;
        c.number = 36;
        c.large = 1L << 40;
        c.half = 0.5f;
        c.tenth = 0.1;
        c.text = "two \"words\"\n\u001b[2J";
        c.huge = "0123456789".repeat(5);
        c.nothing = null;
        c.list = new ArrayList<>();
        shared = 7;
        flags[1] = true;
        bytes[2] = 9;
        doubles[0] = -1.5;
        names[3] = "four";
    }

    static int use(Cell c, boolean[] flags, byte[] bytes, double[] doubles, String[] names) {
        Object[] objects = {c.flag, c.small, c.letter, c.odd, c.shorter, c.large, c.half, c.tenth, c.text, c.huge,
                            c.nothing, c.list, shared, flags[1], bytes[2], doubles[0], names[3]};
        c.number = 37; // the later access writes over the 36
        return objects.length;
    }

    public static void main(String[] args) throws InterruptedException {
        Cell c = new Cell();
        boolean[] flags = new boolean[4];
        byte[] bytes = new byte[4];
        double[] doubles = new double[4];
        String[] names = new String[4];
        Thread a = new Thread(() -> {
            fill(c, flags, bytes, doubles, names);
            DONE.setOpaque(true);
        });
        Thread b = new Thread(() -> {
            while (!(boolean) DONE.getOpaque()) Thread.onSpinWait();
            use(c, flags, bytes, doubles, names);
        });
        b.start();
        a.start();
        a.join();
        b.join();
    }
}
