// race: container java.util.regex.Matcher
// One matcher for two threads: each search moves it.
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class Matcher_race {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Matcher matcher = Pattern.compile("b+").matcher("abbbc");
        Thread t1 = new Thread(() -> {
            meet();
            matcher.lookingAt();
        });
        Thread t2 = new Thread(() -> {
            meet();
            matcher.hitEnd();
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
