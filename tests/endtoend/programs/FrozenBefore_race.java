// race: static FrozenBefore_race.array
// race: static FrozenBefore_race.object
// race: static FrozenBefore_race.containers
// race: static FrozenBefore_race.levels
// race: static FrozenBefore_race.tuple
// race: static FrozenBefore_race.function
// Objects are filled, kept in final fields and published by races, all in one epoch.  The publications are races; what is
// read through the final fields is not.
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

public class FrozenBefore_race {
    static final AtomicInteger GATE = new AtomicInteger();

    static class Point {
        int x, y;
    }

    record Tuple(int[] first, Point second) {}

    static class Array {
        final int[] a;

        Array(int[] a) {
            this.a = a;
        }
    }

    static class Holder {
        final Point point;

        Holder(Point p) {
            point = p;
        }
    }

    static class Containers {
        final Map<String, Integer> map;
        final Set<String> set;
        final StringBuilder text;

        Containers(Map<String, Integer> m, Set<String> s, StringBuilder t) {
            map = m;
            set = s;
            text = t;
        }
    }

    static class Levels {
        final List<Point[]> list;

        Levels(List<Point[]> l) {
            list = l;
        }
    }

    static Array array;
    static Holder object;
    static Containers containers;
    static Levels levels;
    static Tuple tuple;
    static IntSupplier function;

    static void publish() {
        int[] a = new int[3];
        for (int i = 0; i < a.length; i++) a[i] = i;
        Point p = new Point();
        p.x = 3;
        p.y = 4;
        Map<String, Integer> m = new HashMap<>();
        m.put("three", 3);
        Set<String> s = new HashSet<>();
        s.add("four");
        List<Point[]> l = new ArrayList<>();
        l.add(new Point[] {p});
        int[] captured = {5};
        array = new Array(a);
        object = new Holder(p);
        containers = new Containers(m, s, new StringBuilder().append("five"));
        levels = new Levels(l);
        tuple = new Tuple(a, p);
        function = () -> captured[0];
    }

    static int read() {
        int sum = 0;
        Array a = array;
        if (a != null) sum += a.a[2];
        Holder h = object;
        if (h != null) sum += h.point.x;
        Containers c = containers;
        if (c != null) sum += c.map.get("three") + (c.set.contains("four") ? c.text.length() : 0);
        Levels l = levels;
        if (l != null) sum += l.list.get(0)[0].y;
        Tuple t = tuple;
        if (t != null) sum += t.first()[1] + t.second().x;
        IntSupplier f = function;
        if (f != null) sum += f.getAsInt();
        return sum;
    }

    public static void main(String[] args) throws Exception {
        // Loads and links all that the threads use, by which they could be ordered.
        publish();
        if (read() != 2 + 3 + 7 + 4 + 4 + 5) throw new AssertionError();
        Thread t1 = new Thread(() -> {
            meet();
            publish();
        });
        Thread t2 = new Thread(() -> {
            meet();
            pause(50);
            if (read() != 2 + 3 + 7 + 4 + 4 + 5) throw new AssertionError();
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    static void pause(int ms) {
        long end = System.nanoTime() + ms * 1_000_000L;
        while (System.nanoTime() < end) Thread.onSpinWait();
    }
}
