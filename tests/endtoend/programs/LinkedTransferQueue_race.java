// race: instance LinkedTransferQueue_race.Item.v
// The producer writes to the item after it has handed it over: a transfer that waits for the taker.
import java.util.concurrent.LinkedTransferQueue;

public class LinkedTransferQueue_race {
    static class Item {
        final int key;
        int v;

        Item(int key) {
            this.key = key;
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
        LinkedTransferQueue<Item> queue = new LinkedTransferQueue<>();
        Thread t1 = thread(() -> {
            Item item = new Item(1);
            queue.transfer(item);
            item.v = 1;
        });
        Thread t2 = thread(() -> {
            queue.take().v = 2;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
