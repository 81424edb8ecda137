// norace
// The method behind the bridge is synchronized, so both ways in take the lock.
public class BridgeMethod_norace {
    static abstract class Cell<T> {
        abstract void set(T value);
    }

    static class TextCell extends Cell<String> {
        String text;

        synchronized void set(String value) {
            text = value;
        }
    }

    public static void main(String[] args) throws Exception {
        TextCell direct = new TextCell();
        Cell<String> bridged = direct;
        Thread t1 = new Thread(() -> {
            for (int i = 0; i < 2000; i++) direct.set("a");
        });
        Thread t2 = new Thread(() -> {
            for (int i = 0; i < 2000; i++) bridged.set("b");
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (direct.text == null) throw new AssertionError("unset");
        System.out.println("ok");
    }
}
