// race: instance PriorityBlockingQueue_race.Item.v
// The producer writes to the item after it has handed it over: a heap under one lock.
import java.util.concurrent.PriorityBlockingQueue;

public class PriorityBlockingQueue_race {
    static class Item implements Comparable<Item> {
        final int key;
        int v;

        Item(int key) {
            this.key = key;
        }

        public int compareTo(Item o) {
            return Integer.compare(key, o.key);
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
        PriorityBlockingQueue<Item> queue = new PriorityBlockingQueue<>();
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
