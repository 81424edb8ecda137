// race: container java.util.GregorianCalendar
// One thread sets a field of the calendar while the other asks for the time.
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.concurrent.atomic.AtomicInteger;

public class Calendar_race {
    static final AtomicInteger GATE = new AtomicInteger();

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
        GregorianCalendar calendar = new GregorianCalendar(2020, 0, 1);
        Thread t1 = thread(() -> {
            meet();
            calendar.set(Calendar.YEAR, 2021);
        });
        Thread t2 = thread(() -> {
            meet();
            Thread.sleep(20);
            calendar.getTimeInMillis();
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
