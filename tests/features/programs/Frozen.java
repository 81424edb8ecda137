import java.util.concurrent.atomic.AtomicInteger;

/** What was filled before a constructor kept it, and is read behind a racy publication; and the same without `final`. */
public class Frozen {
    static final AtomicInteger GATE = new AtomicInteger();

    static class Filled {
        int kept, open;
    }

    static class Keeper {
        final Filled kept;
        Filled open;

        Keeper(Filled kept, Filled open) {
            this.kept = kept;
            this.open = open;
        }
    }

    static Keeper shared;

    static void publish() {
        Filled kept = new Filled(), open = new Filled();
        kept.kept = 1;
        open.open = 2;
        shared = new Keeper(kept, open);
    }

    static int read(boolean isOpen) {
        Keeper k = shared;
        return isOpen ? k.open.open : k.kept.kept;
    }

    public static void main(String[] args) throws Exception {
        boolean isOpen = args.length > 0;
        publish();
        read(isOpen);
        Thread t1 = new Thread(() -> {
            meet();
            publish();
        });
        Thread t2 = new Thread(() -> {
            meet();
            for (long end = System.nanoTime() + 100_000_000; System.nanoTime() < end;) Thread.onSpinWait();
            read(isOpen);
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
    }

    private static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }
}
