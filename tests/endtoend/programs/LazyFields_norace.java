// norace
// A calendar whose fields are all computed is only read; a format writes whole numbers under a lock of its own.
import java.text.DecimalFormat;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.concurrent.atomic.AtomicInteger;

public class LazyFields_norace {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        GregorianCalendar calendar = new GregorianCalendar(2020, 0, 1);
        calendar.get(Calendar.YEAR);
        DecimalFormat format = new DecimalFormat("0.00");
        Thread t1 = new Thread(() -> {
            meet();
            calendar.get(Calendar.YEAR);
            format.format(15L);
        });
        Thread t2 = new Thread(() -> {
            meet();
            calendar.get(Calendar.MONTH);
            format.format(25L);
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
