import java.util.HashMap;
import java.util.Map;

/** What a function makes for a map that threads race on is published by that race. */
public class ComputedValues {
    static class Box {
        int absent, merged, replaced;
    }

    static final Map<Integer, Box> MAP = new HashMap<>();

    static Box box(int v) {
        Box mine = new Box();
        mine.absent = mine.merged = mine.replaced = v;
        return mine;
    }

    public static void main(String[] args) {
        for (int t = 0; t < 2; t++) {
            new Thread(() -> {
                System.out.println(MAP.computeIfAbsent(1, k -> box(1)).absent);
                System.out.println(MAP.merge(1, new Box(), (a, b) -> box(2)).merged);
                MAP.replaceAll((k, v) -> box(3));
                System.out.println(MAP.get(1).replaced);
            }).start();
        }
    }
}
