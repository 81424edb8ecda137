// race: container java.util.GregorianCalendar
// race: container java.text.DecimalFormat
// A calendar computes its fields when first asked for one, and a format its short cut for doubles: two questions race.
import java.text.DecimalFormat;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.concurrent.atomic.AtomicInteger;

public class LazyFields_race {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        GregorianCalendar calendar = new GregorianCalendar(2020, 0, 1);
        calendar.set(Calendar.MONTH, 5);
        DecimalFormat format = new DecimalFormat("0.00");
        Thread t1 = new Thread(() -> {
            meet();
            calendar.get(Calendar.YEAR);
            format.format(1.5);
        });
        Thread t2 = new Thread(() -> {
            meet();
            calendar.get(Calendar.MONTH);
            format.format(2.5);
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
