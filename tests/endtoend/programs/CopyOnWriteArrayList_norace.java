// norace
// An addition happens before the iteration or get that finds the element.
import java.util.concurrent.CopyOnWriteArrayList;

public class CopyOnWriteArrayList_norace {
    static class Box {
        int v;
    }

    public static void main(String[] args) throws Exception {
        CopyOnWriteArrayList<Box> list = new CopyOnWriteArrayList<>();
        Thread t1 = new Thread(() -> {
            for (int i = 0; i < 100; i++) {
                Box b = new Box();
                b.v = i;
                list.add(b);
            }
        });
        Thread t2 = new Thread(() -> {
            while (list.size() < 100) {
                int i = 0;
                for (Box b : list) {
                    if (b.v != i++) throw new AssertionError(i);
                }
                Thread.yield();
            }
            list.get(99).v = 0;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
