// race: static Reflection_race.x
// The racing method is called by reflection in both threads.
import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicInteger;

public class Reflection_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static int x;

    public static void touch() {
        meet();
        x++;
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
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
        Method touch = Reflection_race.class.getMethod("touch");
        Body work = () -> {
            touch.invoke(null);
        };
        Thread t1 = thread(work);
        Thread t2 = thread(work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
