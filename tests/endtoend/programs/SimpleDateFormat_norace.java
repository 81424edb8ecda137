// norace
// Each thread formats with its own copy from a ThreadLocal.
import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.concurrent.atomic.AtomicInteger;

public class SimpleDateFormat_norace {
    static final AtomicInteger GATE = new AtomicInteger();
    static final ThreadLocal<SimpleDateFormat> FORMAT = ThreadLocal.withInitial(() -> new SimpleDateFormat("yyyy"));

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Date date = new Date(86_400_000L * 30);
        Runnable work = () -> {
            meet();
            for (int i = 0; i < 50; i++) {
                if (!FORMAT.get().format(date).equals("1970")) throw new AssertionError();
            }
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
