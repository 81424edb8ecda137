// race: container java.lang.StringBuilder
// One thread appends while the other asks for the length.
import java.util.concurrent.atomic.AtomicInteger;

public class StringBuilder_race {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        StringBuilder text = new StringBuilder("abc");
        Thread t1 = new Thread(() -> {
            meet();
            text.append("d");
        });
        Thread t2 = new Thread(() -> {
            meet();
            int n = text.length();
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
