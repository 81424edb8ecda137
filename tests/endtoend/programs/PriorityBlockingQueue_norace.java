// norace
// Items belong to the producer until put and to the consumer once taken: a heap under one lock.
import java.util.concurrent.PriorityBlockingQueue;

public class PriorityBlockingQueue_norace {
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
