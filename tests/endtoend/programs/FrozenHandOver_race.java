// race: static FrozenHandOver_race.shared
// One thread fills an object and hands it over by a volatile; the next puts it into a final field and publishes that by a
// race.  What the first did comes before the reads of a third.
import java.util.concurrent.atomic.AtomicInteger;

public class FrozenHandOver_race {
    static final AtomicInteger GATE = new AtomicInteger();

    static class Point {
        int x;
        int[] a;
    }

    static class Keeper {
        final Point point;

        Keeper(Point p) {
            point = p;
        }
    }

    static volatile Point handed;
    static Keeper shared;

    static void fill() {
        Point p = new Point();
        p.x = 3;
        p.a = new int[] {4};
        handed = p;
    }

    static void keep() {
        Point p;
        while ((p = handed) == null) Thread.onSpinWait();
        pause(50);
        shared = new Keeper(p);
    }

    static int find() {
        Keeper k;
        while ((k = shared) == null) Thread.onSpinWait();
        return k.point.x + k.point.a[0];
    }

    public static void main(String[] args) throws Exception {
        fill();
        keep();
        if (find() != 7) throw new AssertionError();
        handed = null;
        shared = null;
        Thread[] threads = {
            new Thread(() -> {
                meet();
                fill();
            }),
            new Thread(() -> {
                meet();
                keep();
            }),
            new Thread(() -> {
                meet();
                if (find() != 7) throw new AssertionError();
            }),
            new Thread(() -> {
                meet();
                pause(150);
                if (find() != 7) throw new AssertionError();
            }),
        };
        for (Thread t : threads) t.start();
        for (Thread t : threads) t.join();
        System.out.println("ok");
    }

    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 4) Thread.yield();
    }

    static void pause(int ms) {
        long end = System.nanoTime() + ms * 1_000_000L;
        while (System.nanoTime() < end) Thread.onSpinWait();
    }
}
