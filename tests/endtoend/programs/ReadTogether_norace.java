// norace
// Two threads read the same objects between the same barriers, so that the objects share their sets; then all is written.
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;

public class ReadTogether_norace {
    static final int ITEMS = 40, READS = 4000, PHASES = 3;
    static final CyclicBarrier WRITTEN = new CyclicBarrier(3);

    static final class Item {
        int value;

        int get() {
            return value;
        }
    }

    static void read(int id, Item[] items, CountDownLatch[] done) throws Exception {
        long sum = 0;
        for (int phase = 0; phase < PHASES; phase++) {
            WRITTEN.await();
            for (int n = 0; n < READS; n++) {
                Item item = items[n % ITEMS];
                sum += item.get();
            }
            done[phase].countDown();
        }
        if (sum < 0) throw new AssertionError(sum);
    }

    static Thread reader(int id, Item[] items, CountDownLatch[] done) {
        Thread t = new Thread(() -> {
            try {
                read(id, items, done);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        t.start();
        return t;
    }

    public static void main(String[] args) throws Exception {
        Item[] items = new Item[ITEMS];
        CountDownLatch[] done = new CountDownLatch[PHASES];
        for (int i = 0; i < ITEMS; i++) items[i] = new Item();
        for (int i = 0; i < PHASES; i++) done[i] = new CountDownLatch(2);
        Thread t0 = reader(0, items, done), t1 = reader(1, items, done);
        for (int phase = 0; phase < PHASES; phase++) {
            WRITTEN.await();
            done[phase].await();
            for (int i = 0; i < ITEMS; i++) items[i].value = phase;
        }
        t0.join();
        t1.join();
        System.out.println("ok");
    }
}
