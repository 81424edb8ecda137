import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** From submitting a task to hearing that it has ended. */
public class Tasks {
    static int got, between, late, overlapping, again, overwritten, ended, unasked, latched, afterCount, twoTasks, periodic,
            inOrder, side, ticks, lost;

    static void getOk(ExecutorService pool) throws Exception {
        for (int i = 0; i < 3; i++) {
            got++;
            Future<Integer> f = pool.submit(() -> got++);
            f.get();
            got++;
        }
    }

    static void betweenBad(ExecutorService pool) throws Exception {
        Future<Integer> f = pool.submit(() -> between++);
        between++;
        f.get();
    }

    /** The handler goes on although the task may still run. */
    static void timeoutBad(ExecutorService pool) throws Exception {
        Future<Integer> f = pool.submit(() -> late++);
        try {
            f.get(1, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            System.out.println("too late");
        }
        late++;
    }

    static void overlappingBad(ExecutorService pool) throws Exception {
        Future<Integer> f = null;
        for (int i = 0; i < 3; i++) f = pool.submit(() -> overlapping++);
        f.get();
    }

    /** One object in two statements. */
    static void againBad(ExecutorService pool) throws Exception {
        Runnable task = () -> again++;
        Future<?> f = pool.submit(task);
        Future<?> g = pool.submit(task);
        f.get();
        g.get();
    }

    static void overwrittenBad(ExecutorService pool) throws Exception {
        Future<Integer> f = pool.submit(() -> overwritten++);
        if (got > 1) f = pool.submit(() -> 1);
        f.get();
        overwritten++;
    }

    static void terminationOk() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        pool.execute(() -> ended++);
        pool.shutdown();
        if (pool.awaitTermination(1, TimeUnit.SECONDS)) ended++;
    }

    static void terminationBad() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        pool.execute(() -> unasked++);
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.SECONDS);
        unasked++;
    }

    static void latchOk(Timer timer) throws Exception {
        for (int i = 0; i < 3; i++) {
            CountDownLatch done = new CountDownLatch(1);
            timer.schedule(new TimerTask() {
                @Override
                public void run() {
                    latched++;
                    done.countDown();
                }
            }, 1);
            done.await();
            latched++;
        }
    }

    static void latchBad(ExecutorService pool) throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        pool.execute(() -> {
            done.countDown();
            afterCount++;
        });
        done.await();
        afterCount++;
    }

    static void sharedLatchBad(ExecutorService pool) throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        pool.execute(() -> {
            twoTasks++;
            done.countDown();
        });
        pool.execute(() -> done.countDown());
        done.await();
        twoTasks++;
    }

    /** The next run comes after the latch was opened. */
    static void periodicBad(ScheduledExecutorService pool) throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        pool.scheduleAtFixedRate(() -> {
            periodic++;
            done.countDown();
        }, 1, 1, TimeUnit.MILLISECONDS);
        done.await();
        periodic++;
    }

    /** The runs of one periodic task follow each other. */
    static void periodicOk(ScheduledExecutorService pool) {
        ticks = 1;
        pool.scheduleAtFixedRate(() -> ticks++, 1, 1, TimeUnit.SECONDS);
    }

    static void oneAfterTheOtherOk(ExecutorService pool) throws Exception {
        Future<Integer> f = pool.submit(() -> inOrder++);
        f.get();
        Future<Integer> g = pool.submit(() -> inOrder++);
        g.get();
    }

    static void sideBySideBad(ExecutorService pool) throws Exception {
        Future<Integer> f = pool.submit(() -> side++);
        Future<Integer> g = pool.submit(() -> side++);
        f.get();
        g.get();
    }

    /** Hands tasks to its thread without any order. */
    static class Careless implements Executor {
        Runnable next;

        @Override
        public void execute(Runnable task) {
            next = task;
        }

        void work() {
            while (next == null) Thread.yield();
            next.run();
        }
    }

    static void ownExecutorBad() {
        Careless executor = new Careless();
        new Thread(executor::work).start();
        lost++;
        executor.execute(() -> lost++);
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newCachedThreadPool();
        ScheduledExecutorService scheduled = Executors.newScheduledThreadPool(2);
        getOk(pool);
        betweenBad(pool);
        timeoutBad(pool);
        overlappingBad(pool);
        againBad(pool);
        overwrittenBad(pool);
        terminationOk();
        terminationBad();
        latchOk(new Timer());
        latchBad(pool);
        sharedLatchBad(pool);
        periodicBad(scheduled);
        periodicOk(scheduled);
        oneAfterTheOtherOk(pool);
        sideBySideBad(pool);
        ownExecutorBad();
        System.exit(0); // periodic tasks go on for ever
    }
}
