// race: instance CopyOnWriteArrayList_race.Box.v
// The element is written to after it was added.
import java.util.concurrent.CopyOnWriteArrayList;

public class CopyOnWriteArrayList_race {
    static class Box {
        int v;
    }

    public static void main(String[] args) throws Exception {
        CopyOnWriteArrayList<Box> list = new CopyOnWriteArrayList<>();
        Thread t1 = new Thread(() -> {
            Box b = new Box();
            list.add(b);
            b.v = 1;
        });
        Thread t2 = new Thread(() -> {
            while (list.isEmpty()) Thread.yield();
            list.get(0).v = 2;
        });
        // The waiting thread first: the end of t1 must not be able to order anything before the start of t2.
        t2.start();
        t1.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
