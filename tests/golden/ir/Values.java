import java.util.function.Supplier;

/** Every kind of statement that makes or moves a value. */
class Values {
    static volatile double ratio;
    Object[][] grid = new Object[3][4];
    byte[] bytes = {1, 2};

    Object pick(boolean first, Object a, String b) {
        Object o = first ? a : b;
        if (o instanceof String[] s) return s[0];
        return o == null ? Values.class : (Comparable<?>) o;
    }

    long mixed(int i, long l, float f, double d) {
        ratio = d * f;
        return i + (l << i) - (long) -f + Long.compare(l, i) / ~i;
    }

    char arrays(char[] c, short[] s, long[] l) {
        s[1] = (short) bytes[0];
        l[0]++;
        grid[0][1] = c.clone();
        return c[c.length - 1];
    }

    Supplier<Object> lambda(Object captured) {
        return () -> captured;
    }

    static int select(int key) {
        switch (key) {
        case 1:
        case 2: return 10;
        case 1000: key = 7;
        default: return key;
        }
    }
}
