// race: instance java.util.AbstractList.modCount
// The application's subclass changes a protected field of a JDK class from two threads.
import java.util.AbstractList;
import java.util.concurrent.atomic.AtomicInteger;

public class JdkField_race {
    static final AtomicInteger GATE = new AtomicInteger();

    static class Numbers extends AbstractList<Integer> {
        public Integer get(int i) {
            return i;
        }

        public int size() {
            return 4;
        }

        void touch() {
            meet();
            modCount++;
        }
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Numbers n = new Numbers();
        Runnable work = () -> {
            n.touch();
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
