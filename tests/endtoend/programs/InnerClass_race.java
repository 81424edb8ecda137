// race: instance InnerClass_race.hits
// Inner objects, a named and an anonymous one, change a private field of their outer object.
import java.util.concurrent.atomic.AtomicInteger;

public class InnerClass_race {
    static final AtomicInteger GATE = new AtomicInteger();
    private int hits;

    class Clicker {
        void click() {
            hits++;
        }
    }

    Runnable anonymous() {
        return new Runnable() {
            public void run() {
                meet();
                hits++;
            }
        };
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        InnerClass_race outer = new InnerClass_race();
        Clicker clicker = outer.new Clicker();
        Runnable other = outer.anonymous();
        Thread t1 = new Thread(() -> {
            meet();
            clicker.click();
        });
        Thread t2 = new Thread(() -> {
            other.run();
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
