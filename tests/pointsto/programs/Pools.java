import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Tasks that reach their thread through pools: nothing here is modelled, the JDK's own code is analysed. */
public class Pools {
    static class Result {
        void use() {
            Mark.ran();
        }
    }

    static class Job implements Callable<Result> {
        public Result call() {
            Mark.ran();
            return new Result();
        }
    }

    static class Plain implements Runnable {
        public void run() {
            Mark.ran();
        }
    }

    static class Split extends RecursiveTask<Result> {
        final int depth;

        Split(int depth) {
            this.depth = depth;
        }

        @Override
        protected Result compute() {
            if (depth == 0) {
                leaf();
                return new Result();
            }
            Split left = new Split(depth - 1), right = new Split(depth - 1);
            left.fork();
            right.compute();
            return left.join();
        }

        void leaf() {
            Mark.ran();
        }
    }

    static class Action extends RecursiveAction {
        @Override
        protected void compute() {
            Mark.ran();
        }
    }

    static class Tick extends TimerTask {
        @Override
        public void run() {
            Mark.ran();
        }
    }

    static class Factory implements ThreadFactory {
        public Thread newThread(Runnable r) {
            Mark.ran();
            return new Thread(r);
        }
    }

    static Result supply() {
        Mark.ran();
        return new Result();
    }

    static Result then(Result r) {
        Mark.ran();
        return r;
    }

    static void accept(Result r) {
        Mark.ran();
    }

    static void each(int i) {
        Mark.ran();
    }

    static void later() {
        Mark.ran();
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2, new Factory());
        pool.submit(new Job()).get().use();
        pool.execute(new Plain());
        for (Object o : pool.invokeAll(List.of(new Job()))) o.hashCode();
        pool.shutdown();
        pool.awaitTermination(5, TimeUnit.SECONDS);

        ForkJoinPool fork = new ForkJoinPool(2);
        fork.invoke(new Split(2)).use();
        ForkJoinTask<Void> action = fork.submit((ForkJoinTask<Void>) new Action());
        action.join();
        fork.shutdown();

        CompletableFuture<Result> f = CompletableFuture.supplyAsync(Pools::supply).thenApply(Pools::then);
        f.thenAccept(Pools::accept).join();
        f.get().use();

        IntStream.range(0, 4).parallel().forEach(Pools::each);

        ScheduledExecutorService scheduled = Executors.newScheduledThreadPool(1);
        scheduled.schedule(Pools::later, 1, TimeUnit.MILLISECONDS).get();
        scheduled.shutdown();

        Timer timer = new Timer(true);
        timer.schedule(new Tick(), 1);
        Thread.sleep(200);
        timer.cancel();
    }
}
