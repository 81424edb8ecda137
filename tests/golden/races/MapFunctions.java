import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** Functions that a map runs for one key at a time. */
public class MapFunctions {
    static int same, others, skip;

    static void sameKeyOk(ConcurrentHashMap<String, Integer> map) {
        Runnable work = () -> {
            map.compute("a", (k, v) -> same++);
            map.merge("a", 1, (v, w) -> same++);
            map.computeIfAbsent("a", k -> same++);
        };
        Thread t1 = new Thread(work), t2 = new Thread(work);
        t1.start();
        t2.start();
    }

    static void otherKeyBad(ConcurrentHashMap<String, Integer> map) {
        Thread t1 = new Thread(() -> map.compute("a", (k, v) -> others++));
        Thread t2 = new Thread(() -> map.compute("b", (k, v) -> others++));
        t1.start();
        t2.start();
    }

    /** This map does not exclude functions for one key. */
    static void otherMapBad(ConcurrentSkipListMap<String, Integer> map) {
        Runnable work = () -> map.compute("a", (k, v) -> skip++);
        Thread t1 = new Thread(work), t2 = new Thread(work);
        t1.start();
        t2.start();
    }

    static class Count {
        int n;

        Integer next(String k, Integer v) {
            return n++;
        }
    }

    /** One function for two maps. */
    static void twoMapsBad(ConcurrentHashMap<String, Integer> map, ConcurrentHashMap<String, Integer> other) {
        Count count = new Count();
        Thread t1 = new Thread(() -> map.compute("a", count::next));
        Thread t2 = new Thread(() -> other.compute("a", count::next));
        t1.start();
        t2.start();
    }

    public static void main(String[] args) {
        ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
        sameKeyOk(map);
        otherKeyBad(map);
        otherMapBad(new ConcurrentSkipListMap<>());
        twoMapsBad(map, new ConcurrentHashMap<>());
    }
}
