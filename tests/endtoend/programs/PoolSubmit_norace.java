// norace
// What is done before a task is given to a ForkJoinPool from outside comes before the task, also if a worker that is awake
// takes it at once.
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;

public class PoolSubmit_norace {
    static final class Task implements Runnable {
        final CountDownLatch done;
        int argument;

        Task(CountDownLatch done) {
            this.done = done;
        }

        @Override
        public void run() {
            if (argument == 0) throw new AssertionError();
            argument = 0;
            done.countDown();
        }
    }

    static void submit(ForkJoinPool pool, CountDownLatch done, int n) {
        for (int i = 0; i < n; i++) {
            Task t = new Task(done);
            t.argument = i + 1;
            pool.execute(t);
        }
    }

    public static void main(String[] args) throws Exception {
        int n = 10_000;
        ForkJoinPool pool = new ForkJoinPool(2);
        CountDownLatch done = new CountDownLatch(2 * n);
        Thread other = new Thread(() -> submit(pool, done, n));
        other.start();
        submit(pool, done, n);
        other.join();
        done.await();
        pool.shutdown();
        System.out.println("ok");
    }
}
