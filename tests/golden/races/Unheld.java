import java.util.ArrayList;
import java.util.List;

// New objects that nothing holds, beside calls that give back one of several arguments: an argument of another
// class is not the object, nor is one that was there before.
public class Unheld {
    static final List<Object> KNOWN = new ArrayList<>();

    static void register(Object o) {
        synchronized (KNOWN) {
            KNOWN.add(o);
        }
    }

    static class Text {
        int length;
    }

    static class Item {
        int size, later;
        Item next;

        Item(Item next) {
            this.next = next;
            size = 1;
        }
    }

    static Item filled(Text text, Item item) {
        item.size = text.length;
        return item;
    }

    /** What is registered is a text, which is no item. */
    static Item other() {
        Item item = new Item(null);
        Text text = new Text();
        register(text);
        item.later = 1;
        return filled(text, item);
    }

    static Item longest(Item a, Item b) {
        return a.size > b.size ? a : b;
    }

    /** The old item was there before the new one was made. */
    static Item grown(Item old) {
        Item item = new Item(old);
        register(old);
        item.later = 2;
        return longest(old, item);
    }

    static void work() {
        register(other());
        register(grown(new Item(null)));
        synchronized (KNOWN) {
            for (Object o : KNOWN) {
                if (o instanceof Item) System.out.println(((Item) o).later + ((Item) o).size);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] threads = new Thread[2];
        for (int i = 0; i < 2; i++) {
            threads[i] = new Thread(Unheld::work);
            threads[i].start();
        }
        for (Thread t : threads) t.join();
    }
}
