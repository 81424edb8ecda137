// race: static MapCount_race.x
// race: static MapCount_race.y
// Two threads put different keys into a map, one after the other, which orders nothing; nor does the size before the other put.
import java.util.concurrent.ConcurrentHashMap;

public class MapCount_race {
    static int x, y;

    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<Integer, Boolean> map = new ConcurrentHashMap<>();
        map.put(3, true);
        Thread first = new Thread(() -> {
            x = 1;
            map.put(1, true);
            y = 1;
        });
        Thread second = new Thread(() -> {
            pause();
            map.put(2, true);
            x = 2;
            if (map.size() != 3) System.out.println("size");
            y = 2;
        });
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("ok");
    }

    static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
