// norace
// A function makes a value for a concurrent map: whoever finds it there comes after its making.
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

public class ComputedValue_norace {
    static class Box {
        int v;
    }

    static final Map<Integer, Box> MAP = new ConcurrentHashMap<>();

    static Box find(int k) {
        return MAP.computeIfAbsent(k, key -> {
            Box made = new Box();
            made.v = key;
            return made;
        });
    }

    static void work() {
        int sum = 0;
        for (int k = 0; k < 500; k++) sum += find(k).v;
        if (sum != 499 * 500 / 2) throw new AssertionError(sum);
    }

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(() -> work()), t2 = new Thread(() -> work());
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
