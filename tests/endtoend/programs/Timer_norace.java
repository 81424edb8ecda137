// norace
// Scheduling happens before the task runs; the latch hands its result back.
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;

public class Timer_norace {
    static int x;

    public static void main(String[] args) throws Exception {
        Timer timer = new Timer();
        for (int i = 0; i < 20; i++) {
            CountDownLatch done = new CountDownLatch(1);
            x++;
            timer.schedule(new TimerTask() {
                @Override
                public void run() {
                    x++;
                    done.countDown();
                }
            }, 1);
            done.await();
        }
        timer.cancel();
        if (x != 40) throw new AssertionError(x);
        System.out.println("ok");
    }
}
