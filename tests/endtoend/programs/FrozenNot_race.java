// race: static FrozenNot_race.shared
// race: instance FrozenNot_race.Plain.x
// race: instance FrozenNot_race.Late.x
// race: instance FrozenNot_race.Second.x
// race: instance FrozenNot_race.Keeper.open
// race: instance FrozenNot_race.Keeper.array
// race: instance FrozenNot_race.Keeper.list
// race: array int[]
// race: container java.util.ArrayList
// Races on what hangs on a racily published object all the same: it was reached through a field that is not final, written
// when the object was out, or is written by the second thread.
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

public class FrozenNot_race {
    static final AtomicInteger GATE = new AtomicInteger();

    static class Plain {
        int x;
    }

    static class Late {
        int x;
    }

    static class Second {
        int x;
    }

    static class Keeper {
        final Late late;
        final Second second;
        final long[] frozen;
        Plain open;
        int[] array;
        List<String> list;

        Keeper(Late l, Second s, long[] f) {
            late = l;
            second = s;
            frozen = f;
        }
    }

    static Keeper shared;

    static void publish() {
        Plain p = new Plain();
        p.x = 1;
        Late l = new Late();
        l.x = 1;
        Second s = new Second();
        s.x = 1;
        int[] a = new int[2];
        a[0] = 1;
        List<String> list = new ArrayList<>();
        list.add("one");
        Keeper k = new Keeper(l, s, new long[] {1});
        k.open = p;
        k.array = a;
        k.list = list;
        shared = k;
        synchronized (k) { // nobody else's lock, but a new epoch
            l.x = 2;
        }
    }

    static long read() {
        Keeper k;
        while ((k = shared) == null) Thread.onSpinWait();
        pause(50);
        long sum = k.frozen[0] + k.open.x + k.array[0] + k.list.size();
        k.second.x = 2;
        return sum + k.late.x; // the last: who has seen that write comes after all the others
    }

    public static void main(String[] args) throws Exception {
        publish();
        read();
        shared = null;
        Thread t1 = new Thread(() -> {
            meet();
            publish();
        });
        Thread t2 = new Thread(() -> {
            meet();
            pause(50);
            read();
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
