import java.util.ArrayList;
import java.util.List;

/** Control flow and types of every size; compiles for Java 8. */
public class Shapes implements Runnable {
    private static long total;
    private volatile int[] cells = {1, 2, 3};
    private final Object lock = new Object();

    static int table(int n) {
        switch (n) {
        case 0: return 10;
        case 1: return 20;
        case 2: return 30;
        default: return -1;
        }
    }

    static String lookup(String s) {
        switch (s) {
        case "one": return "1";
        case "thousand": return "1000";
        default: return null;
        }
    }

    static double mix(long a, double b, float c, boolean d) {
        double sum = 0;
        for (long i = 0; i < a; i++) {
            if (d ? i % 2 == 0 : b > c) continue;
            sum += i * b - c;
        }
        return sum;
    }

    int guarded(List<? extends Number> in) {
        int[][] grid = new int[3][4];
        try {
            synchronized (lock) {
                for (Number n : in) grid[n.intValue()][0] += cells[0];
                return grid[1][2];
            }
        } catch (ArrayIndexOutOfBoundsException | NullPointerException e) {
            return -1;
        } finally {
            total++;
        }
    }

    Runnable capture(int x) {
        return () -> total += x + cells.length;
    }

    public void run() {
        List<Integer> list = new ArrayList<>();
        Object o = list.isEmpty() ? new StringBuilder() : (Object) "text";
        if (o instanceof CharSequence) list.add(((CharSequence) o).length());
    }

    enum Colour { RED, GREEN }

    @interface Note {
        String value() default "";
        int[] numbers() default {};
        Colour colour() default Colour.RED;
    }

    @Note(value = "inner", numbers = {1, 2}, colour = Colour.GREEN)
    static class Inner<T extends Comparable<T>> {
        T best;

        @Deprecated
        T max(T a) throws IllegalStateException {
            if (best == null || a.compareTo(best) > 0) best = a;
            return best;
        }
    }
}
