// norace
// The value is changed inside compute and merge of its own key, which exclude each other.
import java.util.concurrent.ConcurrentHashMap;

public class MapCompute_norace {
    static class Box {
        int v;
    }

    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<String, Box> map = new ConcurrentHashMap<>();
        map.put("a", new Box());
        Runnable work = () -> {
            for (int i = 0; i < 500; i++) {
                map.compute("a", (k, b) -> {
                    b.v++;
                    return b;
                });
                map.computeIfPresent("a", (k, b) -> {
                    b.v++;
                    return b;
                });
            }
        };
        Thread t1 = new Thread(work);
        Thread t2 = new Thread(work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (map.get("a").v != 2000) throw new AssertionError(map.get("a").v);
        System.out.println("ok");
    }
}
