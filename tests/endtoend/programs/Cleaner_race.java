// race: static Cleaner_race.count
// The cleaning action and the main thread write the count, unordered.
import java.lang.ref.Cleaner;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

public class Cleaner_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static final Cleaner CLEANER = Cleaner.create();
    static final CountDownLatch DONE = new CountDownLatch(1);
    static int count;

    static class State implements Runnable {
        int handle;

        @Override
        public void run() {
            meet();
            count++;
            DONE.countDown();
        }
    }

    static void drop() {
        State state = new State();
        state.handle = 7;
        CLEANER.register(new Object(), state);
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        drop();
        while (GATE.get() == 0) {
            System.gc();
            Thread.sleep(5);
        }
        meet();
        count++;
        DONE.await();
        System.out.println("ok");
    }
}
