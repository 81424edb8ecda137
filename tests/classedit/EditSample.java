import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Every shape of code that an edit must move correctly; prints a checksum of what it computed. */
public class EditSample {
    private long sum;

    static int switches(int k, String s) {
        switch (k) {
            case 1: k += 3;
            case 2: k *= 5; break;
            case 7: k = -1; break;
            default: k ^= 0x55;
        }
        switch (k) {
            case 1_000_000: return 1;
            case -5: return 2;
            default: break;
        }
        return switch (s) { case "a" -> k; case "bb" -> k + 1; default -> k + s.length(); };
    }

    static long loops(int n) {
        long t = 0;
        outer:
        for (int i = 0; i < n; i++) {
            for (int j = i; ; j += 3) {
                if (j > n) continue outer;
                if ((i ^ j) == 77) break outer;
                double d = i * 0.5;
                t += (long) d + j;
            }
        }
        do { t--; } while (t % 1000 != 0);
        return t;
    }

    static int handlers(int[] a, int i) {
        int r = 0;
        try {
            r = a[i];
            try {
                r /= i;
            } finally {
                r += 7;
            }
        } catch (ArithmeticException | ArrayIndexOutOfBoundsException e) {
            r = e.getClass().getName().length();
        } finally {
            r *= 2;
        }
        return r;
    }

    synchronized long locked(Object o, List<? extends Number> list) {
        synchronized (o) {
            for (Number n : list) sum += n.longValue();
        }
        return sum;
    }

    static Object conditionalNew(boolean b, int n) {
        return new StringBuilder(b ? new String(n > 3 ? "x" : "y") : String.valueOf(n)).append(b ? 1 : 2L).toString();
    }

    class Inner extends ArrayList<String> {
        final Supplier<String> s;

        Inner(int n) {
            super(n > 2 ? n : 3);
            s = () -> n + " " + sum;
        }
    }

    @SuppressWarnings("unchecked")
    static <T extends Comparable<T>> T max(T... ts) {
        @Deprecated T best = ts[0];
        for (T t : ts) best = t.compareTo(best) > 0 ? t : best;
        return ((Object) best) instanceof String s && s.length() > 5 ? (T) s : best;
    }

    public static void main(String[] args) {
        StringBuilder out = new StringBuilder();
        for (int k = 0; k < 10; k++) out.append(switches(k, k % 2 == 0 ? "a" : k == 3 ? "bb" : "ccc")).append(',');
        out.append(loops(200)).append(',');
        for (int i = -1; i < 5; i++) out.append(handlers(new int[] {5, 50, 500}, i)).append(',');
        EditSample s = new EditSample();
        out.append(s.locked(new Object(), List.of(1, 2.5, 3L))).append(',');
        out.append(conditionalNew(true, 5)).append(conditionalNew(false, 1)).append(',');
        out.append(s.new Inner(4).s.get()).append(',').append(max("p", "q", "m"));
        System.out.println(out);
        try {
            handlers(null, 0);
        } catch (NullPointerException e) {
            System.out.println("line " + e.getStackTrace()[0].getLineNumber());
        }
    }
}
