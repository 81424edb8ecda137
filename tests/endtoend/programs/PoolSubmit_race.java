// race: instance PoolSubmit_race.Task.argument
// The argument is set only after the task was given to the pool.
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;

public class PoolSubmit_race {
    static final class Task implements Runnable {
        final CountDownLatch done;
        int argument;

        Task(CountDownLatch done) {
            this.done = done;
        }

        @Override
        public void run() {
            argument++;
            done.countDown();
        }
    }

    public static void main(String[] args) throws Exception {
        int n = 100;
        ForkJoinPool pool = new ForkJoinPool(2);
        CountDownLatch done = new CountDownLatch(n);
        for (int i = 0; i < n; i++) {
            Task t = new Task(done);
            pool.execute(t);
            t.argument = i + 1;
        }
        done.await();
        pool.shutdown();
        System.out.println("ok");
    }
}
