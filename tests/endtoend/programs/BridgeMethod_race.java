// race: instance BridgeMethod_race.TextCell.text
// One thread calls the method itself, the other its bridge; both write the field.
import java.util.concurrent.atomic.AtomicInteger;

public class BridgeMethod_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static abstract class Cell<T> {
        abstract void set(T value);
    }

    static class TextCell extends Cell<String> {
        String text;

        void set(String value) {
            text = value;
        }
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        TextCell direct = new TextCell();
        Cell<String> bridged = direct;
        Thread t1 = new Thread(() -> {
            meet();
            direct.set("a");
        });
        Thread t2 = new Thread(() -> {
            meet();
            bridged.set("b");
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
