// race: static FrozenPolled_race.shared
// race: static FrozenPolled_race.list
// The reader asks again and again within one epoch, so that it is the publisher's write that finds the race.
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

public class FrozenPolled_race {
    static final AtomicInteger GATE = new AtomicInteger();

    static class Point {
        int x;
    }

    static class Keeper {
        final int[] a;
        final Point point;

        Keeper(int[] a, Point p) {
            this.a = a;
            point = p;
        }
    }

    static class Names {
        final List<Point> points;

        Names(List<Point> l) {
            points = l;
        }
    }

    static Keeper shared;
    static Names list;

    static void fill() {
        int[] a = new int[4];
        a[1] = 7;
        Point p = new Point();
        p.x = 3;
        List<Point> l = new ArrayList<>();
        l.add(p);
        Keeper k = new Keeper(a, p);
        Names n = new Names(l);
        pause(50);
        shared = k;
        list = n;
    }

    static int poll() {
        Keeper k;
        while ((k = shared) == null) Thread.onSpinWait();
        Names n;
        while ((n = list) == null) Thread.onSpinWait();
        return k.a[1] + k.point.x + n.points.get(0).x;
    }

    public static void main(String[] args) throws Exception {
        fill();
        if (poll() != 13) throw new AssertionError();
        shared = null;
        list = null;
        Thread t1 = new Thread(() -> {
            meet();
            fill();
        });
        Thread t2 = new Thread(() -> {
            meet();
            if (poll() != 13) throw new AssertionError();
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

    static void pause(int ms) {
        long end = System.nanoTime() + ms * 1_000_000L;
        while (System.nanoTime() < end) Thread.onSpinWait();
    }
}
