// norace
// Every use of the shared calendar is under its monitor.
import java.util.Calendar;
import java.util.GregorianCalendar;

public class Calendar_norace {
    public static void main(String[] args) throws Exception {
        GregorianCalendar calendar = new GregorianCalendar(2020, 0, 1);
        Thread t1 = new Thread(() -> {
            for (int i = 0; i < 200; i++) {
                synchronized (calendar) {
                    calendar.add(Calendar.DAY_OF_YEAR, 1);
                    calendar.getTimeInMillis();
                }
            }
        });
        Thread t2 = new Thread(() -> {
            for (int i = 0; i < 200; i++) {
                synchronized (calendar) {
                    calendar.add(Calendar.DAY_OF_YEAR, -1);
                    calendar.getTimeInMillis();
                }
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (calendar.get(Calendar.YEAR) != 2020) throw new AssertionError(calendar);
        System.out.println("ok");
    }
}
