// norace
// Items belong to the producer until put and to the consumer once taken: elements that come out when they are due.
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

public class DelayQueue_norace {
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
            for (int i = 0; i < 200; i++) {
                Item item = new Item(i);
                item.v = i + 1;
                queue.put(item);
            }
        });
        Thread t2 = thread(() -> {
            for (int i = 0; i < 200; i++) {
                Item item = queue.take();
                if (item.v++ != item.key + 1) throw new AssertionError(i);
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
