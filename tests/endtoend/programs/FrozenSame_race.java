// race: static FrozenSame_race.shared
// race: array int[]
// race: instance FrozenSame_race.Keeper.open
// The constructor of a class with a final field fills an array that is in another one: whoever finds the object by a race
// may find the array empty.
import java.util.concurrent.atomic.AtomicInteger;

public class FrozenSame_race {
    static final AtomicInteger GATE = new AtomicInteger();

    static class Keeper {
        final long[] kept;
        int[] open;

        Keeper(int n) {
            kept = new long[] {n};
            open = new int[] {n};
        }
    }

    static Keeper shared;

    static long read() {
        Keeper k = shared;
        return k.kept[0] + k.open[0];
    }

    public static void main(String[] args) throws Exception {
        shared = new Keeper(1);
        read();
        Thread t1 = new Thread(() -> {
            meet();
            shared = new Keeper(2);
        });
        Thread t2 = new Thread(() -> {
            meet();
            pause(100);
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
