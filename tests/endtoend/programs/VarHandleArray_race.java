// race: static VarHandleArray_race.data
// Release of one array element and acquire of another order nothing.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;

public class VarHandleArray_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(int[].class);
    static int data;

    static void set(int[] a, int i) {
        ELEMENT.setRelease(a, i, 1);
    }

    static int get(int[] a, int i) {
        return (int) ELEMENT.getAcquire(a, i);
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
        int[] a = new int[4];
        // Links the calls here: what linking synchronises on must not order the threads.
        set(a, get(a, 0));
        Thread t1 = thread(() -> {
            meet();
            data = 1;
            set(a, 1);
        });
        Thread t2 = thread(() -> {
            meet();
            Thread.sleep(20);
            get(a, 2);
            data = 2;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
