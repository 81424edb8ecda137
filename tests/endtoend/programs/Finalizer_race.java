// race: static Finalizer_race.count
// The finalizer and the main thread write the count, unordered.
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

public class Finalizer_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static final CountDownLatch DONE = new CountDownLatch(1);
    static int count;

    static class Resource {
        int value;

        Resource(int value) {
            this.value = value;
        }

        @Override
        @SuppressWarnings({"deprecation", "removal"})
        protected void finalize() {
            meet();
            count++;
            DONE.countDown();
        }
    }

    static void drop() {
        new Resource(7);
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
