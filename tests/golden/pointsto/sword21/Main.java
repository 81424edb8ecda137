/* Two threads run one static body; what each allocates there is its own. */
public class Main {
    public static void main(String[] args) {
        Thread first = new Thread(() -> body());
        Thread second = new Thread(() -> body());
        first.start();
        second.start();
    }

    static void body() {
        Item item = new Item();
        item.count++;
    }
}

class Item {
    int count;
}
