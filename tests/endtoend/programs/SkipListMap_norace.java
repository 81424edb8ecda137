// norace
// An insertion into the skip list happens before the lookup that finds it.
import java.util.concurrent.ConcurrentSkipListMap;

public class SkipListMap_norace {
    static class Box {
        int v;
    }

    public static void main(String[] args) throws Exception {
        ConcurrentSkipListMap<Integer, Box> map = new ConcurrentSkipListMap<>();
        Thread t1 = new Thread(() -> {
            for (int i = 0; i < 200; i++) {
                Box b = new Box();
                b.v = i;
                map.put(i, b);
            }
        });
        Thread t2 = new Thread(() -> {
            for (int i = 0; i < 200; i++) {
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
