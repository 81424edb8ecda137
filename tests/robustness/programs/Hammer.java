import java.util.concurrent.CountDownLatch;

/** 64 threads on one counter for some seconds: with no lock ("race") or with one ("lock"). */
public class Hammer {
    static long counter;
    static final Object LOCK = new Object();

    public static void main(String[] args) throws Exception {
        boolean locked = args[0].equals("lock");
        CountDownLatch go = new CountDownLatch(1);
        Thread[] threads = new Thread[64];
        long[] turns = new long[threads.length];
        long nanos = 1_000_000_000L * Integer.parseInt(args[1]);
        for (int i = 0; i < threads.length; i++) {
            int me = i;
            threads[i] = new Thread(() -> turns[me] = locked ? withLock(go, nanos) : without(go, nanos));
            threads[i].start();
        }
        go.countDown();
        long sum = 0;
        for (int i = 0; i < threads.length; i++) {
            threads[i].join();
            sum += turns[i];
        }
        boolean good = locked ? counter == sum : counter > 0 && counter <= sum;
        System.out.println(good ? "ok" : "counted " + counter + " of " + sum);
    }

    static long start(CountDownLatch go) {
        try {
            go.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return System.nanoTime();
    }

    static long withLock(CountDownLatch go, long nanos) {
        long begin = start(go), n = 0;
        for (; System.nanoTime() - begin < nanos; n++) {
            synchronized (LOCK) {
                counter++;
            }
        }
        return n;
    }

    static long without(CountDownLatch go, long nanos) {
        long begin = start(go), n = 0;
        for (; System.nanoTime() - begin < nanos; n++) counter++;
        return n;
    }
}
