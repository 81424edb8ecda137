import java.util.ArrayList;
import java.util.List;

/**
 * Lists and arrays of one static method, each used by one thread: what the method makes for one call is nobody else's,
 * nor is what it makes for one object when another makes the same call.
 */
public class Factories {
    static <T> List<T> newList() {
        return new ArrayList<>(4);
    }

    static int[] newRow(int n) {
        return n == 0 ? null : new int[n];
    }

    static final class Box {
        final List<String> names = newList();
    }

    static final class Odd {
        static final List<String> names = newList();
        static final Box box = new Box();
        static final int[] row = newRow(4);
    }

    static final class Even {
        static final List<String> names = newList();
        static final Box box = new Box();
        static final int[] row = newRow(4);
    }

    public static void main(String[] args) {
        new Thread(() -> {
            Odd.names.add("one");
            Odd.box.names.add("one");
            Odd.row[1]++;
        }).start();
        new Thread(() -> {
            Even.names.add("two");
            Even.box.names.add("two");
            Even.row[1]++;
        }).start();
    }
}
