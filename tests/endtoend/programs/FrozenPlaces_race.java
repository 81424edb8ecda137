// race: instance FrozenPlaces_race.Node.next
// race: array FrozenPlaces_race.Keeper[]
// race: container java.util.HashMap
// race: container java.util.HashSet
// Other places than static fields where a race may put an object whose final field has what was filled before.
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

public class FrozenPlaces_race {
    static final AtomicInteger GATE = new AtomicInteger();

    static class Keeper {
        final int[] a;

        Keeper(int n) {
            int[] filled = fill(n);
            a = filled;
        }
    }

    static class Node {
        Keeper next;
    }

    static int[] fill(int n) {
        int[] a = new int[2];
        a[1] = n;
        return a;
    }

    static final Node NODE = new Node();
    static final Keeper[] KEEPERS = new Keeper[1];
    static final Map<String, Keeper> MAP = new HashMap<>();
    static final Set<Keeper> SET = new HashSet<>();

    static void publish() {
        NODE.next = new Keeper(1);
        KEEPERS[0] = new Keeper(2);
        MAP.put("three", new Keeper(3));
        SET.add(new Keeper(4));
    }

    static int read() {
        Keeper inNode = NODE.next, inArray = KEEPERS[0], inMap = MAP.get("three");
        int sum = inNode.a[1] + inArray.a[1] + inMap.a[1];
        for (Keeper k : SET) sum += k.a[1];
        return sum;
    }

    public static void main(String[] args) throws Exception {
        publish();
        if (read() != 10) throw new AssertionError();
        Thread t1 = new Thread(() -> {
            meet();
            publish();
        });
        Thread t2 = new Thread(() -> {
            meet();
            pause(100);
            if (read() < 10) throw new AssertionError();
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
