// race: instance DelayQueue_race.Item.v
// The producer writes to the item after it has handed it over: elements that come out when they are due.
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

public class DelayQueue_race {
    static class Item implements Delayed {
        final int key;
        final long due = System.nanoTime() + 1_000_000;
        int v;

        Item(int key) {
            this.key = key;
        }

        public long getDelay(TimeUnit unit) {
            return unit.convert(due - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        public int compareTo(Delayed o) {
            return Long.compare(due, ((Item) o).due);
        }
    }

    interface Body {
        void run() throws Exception;
    }

    static Thread thread(Body body) {
        return new Thread(() -> {
            try {
                body.run();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    public static void main(String[] args) throws Exception {
        DelayQueue<Item> queue = new DelayQueue<>();
        Thread t1 = thread(() -> {
            Item item = new Item(1);
            queue.put(item);
            item.v = 1;
        });
        Thread t2 = thread(() -> {
            queue.take().v = 2;
        });
        // The waiting thread first: the end of t1 must not be able to order anything before the start of t2.
        t2.start();
        t1.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
