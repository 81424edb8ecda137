// race: static IdleWorkers_race.x
// A pool that becomes smaller tries the locks of its idle workers: no order with what these have done.
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

public class IdleWorkers_race {
    static volatile Thread worker;
    static int x;

    static Thread make(Runnable r) {
        return worker = new Thread(r);
    }

    public static void main(String[] args) throws Exception {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                1, 1, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(), IdleWorkers_race::make);
        pool.execute(() -> x = 1);
        while (worker.getState() != Thread.State.WAITING) Thread.yield();
        pool.setCorePoolSize(0);
        Thread t = new Thread(() -> x = 2);
        t.start();
        t.join();
        pool.shutdown();
        System.out.println("ok");
    }
}
