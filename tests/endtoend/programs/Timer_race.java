// race: static Timer_race.x
// The main thread writes after it has scheduled the timer's task.
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

public class Timer_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static int x;

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        Timer timer = new Timer();
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                meet();
                x = 1;
                done.countDown();
            }
        }, 1);
        meet();
        x = 2;
        done.await();
        timer.cancel();
        System.out.println("ok");
    }
}
