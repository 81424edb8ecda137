// norace
// A put happens before the get that finds its value.
import java.util.concurrent.ConcurrentHashMap;

public class ConcurrentHashMap_norace {
    static class Box {
        int v;
    }

    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<Integer, Box> map = new ConcurrentHashMap<>();
        Thread t1 = new Thread(() -> {
            for (int i = 0; i < 300; i++) {
                Box b = new Box();
                b.v = i;
                map.put(i, b);
            }
        });
        Thread t2 = new Thread(() -> {
            for (int i = 0; i < 300; i++) {
                Box b;
                while ((b = map.get(i)) == null) Thread.yield();
                if (b.v++ != i) throw new AssertionError(i);
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
