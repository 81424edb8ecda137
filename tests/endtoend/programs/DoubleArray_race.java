// race: array double[]
// Both threads add to one element of the double array.
import java.util.concurrent.atomic.AtomicInteger;

public class DoubleArray_race {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        double[] a = new double[4];
        Thread t1 = new Thread(() -> {
            meet();
            a[0] += 1;
        });
        Thread t2 = new Thread(() -> {
            meet();
            a[0] += 2;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
