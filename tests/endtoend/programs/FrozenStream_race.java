// race: static FrozenStream_race.shared
// One frozen object after the other is published in the same place, faster than anybody can look.
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

public class FrozenStream_race {
    static final AtomicInteger GATE = new AtomicInteger();

    static class Point {
        int x;
    }

    static class Keeper {
        final int[] a;
        final List<Point> list;

        Keeper(int[] a, List<Point> l) {
            this.a = a;
            list = l;
        }
    }

    static Keeper shared;
    static int sum;

    static Keeper make(int i) {
        int[] a = new int[2];
        a[0] = i;
        Point p = new Point();
        p.x = i;
        List<Point> l = new ArrayList<>();
        l.add(p);
        return new Keeper(a, l);
    }

    static void publish(int n) {
        for (int i = 0; i < n; i++) shared = make(i);
    }

    static int read(int n) {
        int wrong = 0;
        for (int i = 0; i < n; i++) {
            Keeper k = shared;
            if (k != null && k.a[0] != k.list.get(0).x) wrong++;
        }
        return wrong;
    }

    public static void main(String[] args) throws Exception {
        publish(1);
        if (read(1) != 0) throw new AssertionError();
        Thread t1 = new Thread(() -> {
            meet();
            publish(300_000);
        });
        Thread t2 = new Thread(() -> {
            meet();
            if (read(300_000) != 0) throw new AssertionError();
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }

    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }
}
