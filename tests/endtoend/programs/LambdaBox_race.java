// race: array int[]
// race: instance LambdaBox_race.Box.v
// A lambda changes the array element and the object that it captured, in two threads.
import java.util.concurrent.atomic.AtomicInteger;

public class LambdaBox_race {
    static final AtomicInteger GATE = new AtomicInteger();

    static class Box {
        int v;
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        int[] count = new int[1];
        Box box = new Box();
        Runnable bump = () -> {
            count[0] = 1;
            box.v = 1;
        };
        Runnable work = () -> {
            meet();
            bump.run();
        };
        Thread t1 = new Thread(work);
        Thread t2 = new Thread(work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
