/* The same with a chain of identity functions longer than any context of call sites. */
public class Main {
    public static void main(String[] args) {
        Thread first = new Thread(() -> body());
        Thread second = new Thread(() -> body());
        first.start();
        second.start();
    }

    static void body() {
        Item item = new Item();
        Item same = same1(item);
        same.count++;
    }

    static Item same1(Item x) {
        return same2(x);
    }

    static Item same2(Item x) {
        return same3(x);
    }

    static Item same3(Item x) {
        return same4(x);
    }

    static Item same4(Item x) {
        return x;
    }
}

class Item {
    int count;
}
