// race: static ForkJoin_race.x
// The forked half and the half computed in place both write before the join.
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.atomic.AtomicInteger;

public class ForkJoin_race {
    static final AtomicInteger GATE = new AtomicInteger();
    static int x;

    static class Half extends RecursiveTask<Integer> {
        @Override
        protected Integer compute() {
            meet();
            return ++x;
        }
    }

    static class Whole extends RecursiveTask<Integer> {
        @Override
        protected Integer compute() {
            Half left = new Half();
            left.fork();
            return new Half().compute() + left.join();
        }
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(2);
        pool.invoke(new Whole());
        pool.shutdown();
        System.out.println("ok");
    }
}
