import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Runs several threads for some seconds.  It is free of races itself: what is reported lies in the library. */
final class Load {
    /** What one thread does again and again; the argument counts its turns. */
    interface Step {
        void run(long turn) throws Exception;
    }

    private final long end;
    private final AtomicLong done = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final CountDownLatch go = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();

    Load(String[] args) {
        end = System.nanoTime() + 1_000_000_000L * Integer.parseInt(args[0]);
    }

    /** Adds a thread; all begin together, in finish(). */
    void add(String name, Step step) {
        threads.add(new Thread(() -> work(step), name));
    }

    private void work(Step step) {
        try {
            go.await();
            long turn = 0;
            // A failure elsewhere ends the run early: what follows from it would only hide it.
            while (System.nanoTime() < end && failure.get() == null) step.run(turn++);
            done.addAndGet(turn);
        } catch (Throwable t) {
            failure.compareAndSet(null, t);
        }
    }

    /** Starts the threads, waits for their end and fails if one of them did. */
    void finish() throws Exception {
        long begin = System.nanoTime();
        for (Thread t : threads) t.start();
        go.countDown();
        for (Thread t : threads) t.join();
        if (failure.get() != null) throw new Exception("a thread failed", failure.get());
        double seconds = (System.nanoTime() - begin) / 1e9;
        System.out.printf("work %.1f per second%n", done.get() / Math.max(seconds, 1e-3));
    }

    static void check(boolean ok, String what) {
        if (!ok) throw new IllegalStateException(what);
    }
}
