/** What class initialisers and constructors with final fields did before others can see it. */
public class Initialised {
    static class Table {
        static int[] cells = new int[8];

        static {
            fill(cells);
        }

        static void fill(int[] a) {
            for (int i = 0; i < a.length; i++) a[i] = i;
        }
    }

    /** Reads through the class that filled the array. */
    static int tableOk() {
        return Table.cells[3];
    }

    static class Leaky {
        static long[] cells = new long[8];

        static {
            Initialised.leaked = cells;
            for (int i = 0; i < cells.length; i++) cells[i] = i;
        }
    }

    static volatile long[] leaked;

    /** Needs no use of the class: its initialiser may still run. */
    static long leakedBad() {
        long[] a = leaked;
        return a == null ? 0 : a[3];
    }

    static class Frozen {
        final char[] text;

        Frozen(int n) {
            text = new char[] {(char) n, (char) n};
        }
    }

    static class Late {
        final byte[] bytes;

        Late() {
            bytes = new byte[2];
            late = this;
            bytes[0] = 1;
        }
    }

    static class Changed {
        final short[] shorts = new short[2];

        void change() {
            shorts[0] = 1;
        }
    }

    static Frozen frozen;
    static Late late;
    static Changed changed;

    static void frozenOk(Frozen f) {
        if (f != null && f.text[1] != 3) throw new AssertionError();
    }

    /** Seen before its constructor has ended. */
    static void lateBad() {
        Late l = late;
        if (l != null && l.bytes[0] != 1) throw new AssertionError();
    }

    /** Changed after its constructor. */
    static void changedBad() {
        Changed c = changed;
        if (c != null && c.shorts[0] != 1) throw new AssertionError();
    }

    public static void main(String[] args) {
        Thread t1 = new Thread(() -> {
            tableOk();
            Leaky.cells.clone();
            frozen = new Frozen(3);
            new Late();
            Changed c = new Changed();
            c.change();
            changed = c;
        });
        Thread t2 = new Thread(() -> {
            tableOk();
            leakedBad();
            frozenOk(frozen);
            lateBad();
            changedBad();
        });
        t1.start();
        t2.start();
    }
}
