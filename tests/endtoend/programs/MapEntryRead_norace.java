// norace
// Two threads read the values of entries; when both have ended, a third sets them.
import java.util.HashMap;
import java.util.Map;

public class MapEntryRead_norace {
    static int sum(Map<Integer, Integer> map) {
        int sum = 0;
        for (Map.Entry<Integer, Integer> e : map.entrySet()) sum += e.getValue();
        return sum;
    }

    public static void main(String[] args) throws Exception {
        Map<Integer, Integer> map = new HashMap<>();
        for (int i = 0; i < 100; i++) map.put(i, i);
        Thread t1 = new Thread(() -> sum(map)), t2 = new Thread(() -> sum(map));
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        Thread t3 = new Thread(() -> {
            for (Map.Entry<Integer, Integer> e : map.entrySet()) e.setValue(0);
        });
        t3.start();
        t3.join();
        System.out.println(sum(map) == 0 ? "ok" : "sum");
    }
}
