import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

// Tasks for an executor: what a task that is handed over once keeps to itself is its thread's own.
public class OwnTasks {
    static class Counter {
        int n;

        void count() {
            n++; // race for those below
        }
    }

    static final class OwnCounter {
        int n;

        void count() {
            n++;
        }
    }

    static final class SubmittedOk implements Runnable {
        final OwnCounter counter = new OwnCounter();

        public void run() {
            for (int i = 0; i < 10; i++) add(counter);
        }

        static void add(OwnCounter c) {
            c.count();
        }
    }

    static final class ListedOk implements Callable<Integer> {
        int n;

        public Integer call() {
            return n++;
        }
    }

    static final class TwiceBad implements Runnable {
        int n;

        public void run() {
            n++; // race
        }
    }

    static final class ListedTwiceBad implements Callable<Integer> {
        int n;

        public Integer call() {
            return n++; // race
        }
    }

    static final class GivenTwiceBad implements Callable<Integer> {
        int n;

        public Integer call() {
            return n++; // race
        }
    }

    static final class AgainBad implements Runnable {
        final ExecutorService pool;
        int n;

        AgainBad(ExecutorService pool) {
            this.pool = pool;
        }

        public void run() {
            if (n < 10) pool.execute(this);
            n++; // race
        }
    }

    static final class SharedBad implements Runnable {
        final Counter counter;

        SharedBad(Counter counter) {
            this.counter = counter;
        }

        public void run() {
            counter.count();
        }
    }

    static final class FoundBad implements Callable<Integer> {
        int n;

        public Integer call() {
            return n++; // race: the caller counts, too
        }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        for (int i = 0; i < 10; i++) pool.submit(new SubmittedOk());
        TwiceBad twice = new TwiceBad();
        for (int i = 0; i < 10; i++) pool.submit(twice);
        pool.execute(new AgainBad(pool));
        Counter counter = new Counter();
        for (int i = 0; i < 10; i++) pool.submit(new SharedBad(counter));

        List<ListedOk> listed = new ArrayList<>();
        for (int i = 0; i < 10; i++) listed.add(new ListedOk());
        pool.invokeAll(listed);
        List<ListedTwiceBad> double_ = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            ListedTwiceBad t = new ListedTwiceBad();
            double_.add(t);
            double_.add(t);
        }
        pool.invokeAll(double_);
        List<GivenTwiceBad> given = new ArrayList<>();
        for (int i = 0; i < 10; i++) given.add(new GivenTwiceBad());
        pool.submit(() -> pool.invokeAll(given));
        pool.invokeAll(given);
        List<FoundBad> found = new ArrayList<>();
        for (int i = 0; i < 10; i++) found.add(new FoundBad());
        pool.submit(() -> pool.invokeAll(found));
        found.get(0).n++;
        pool.shutdown();
    }
}
