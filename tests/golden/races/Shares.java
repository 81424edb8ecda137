// Work that threads share out without locks: numbers drawn from a counter, colours of a grid, rounds of a barrier that
// the program builds.  ...Ok: no element is in two hands; ...Bad: one is.
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

public class Shares {
    static final class Cell {
        int v;
    }

    static final class Numbers {
        private final AtomicInteger next = new AtomicInteger();

        int draw() {
            return next.getAndIncrement();
        }
    }

    static void drawOk() {
        AtomicInteger next = new AtomicInteger();
        int[] d = new int[100];
        for (int t = 0; t < 4; t++) {
            new Thread(() -> {
                for (int i = next.getAndIncrement(); i < d.length; i = next.getAndIncrement()) d[i]++;
            }).start();
        }
    }

    /** Drawn by a method, and what is used by another is a row. */
    static void rowOk() {
        Numbers numbers = new Numbers();
        long[][] d = new long[100][10];
        for (int t = 0; t < 4; t++) {
            new Thread(() -> {
                for (int i = numbers.draw(); i < d.length; i = numbers.draw()) fill(d[i]);
            }).start();
        }
    }

    static void fill(long[] row) {
        for (int k = 0; k < row.length; k++) row[k]++;
    }

    /** Objects in the place of rows. */
    static void objectOk() {
        AtomicLong next = new AtomicLong();
        Cell[] d = new Cell[100];
        for (int i = 0; i < 100; i++) d[i] = new Cell();
        for (int t = 0; t < 4; t++) {
            new Thread(() -> {
                for (long i = next.incrementAndGet(); i < 100; i = next.incrementAndGet()) use((int) i, d);
            }).start();
        }
    }

    static void use(int i, Cell[] d) {
        d[i].v++;
    }

    /** Numbers of one counter and of another. */
    static void twoCountersBad() {
        AtomicInteger a = new AtomicInteger(), b = new AtomicInteger();
        short[] d = new short[100];
        new Thread(() -> {
            for (int i = a.getAndIncrement(); i < d.length; i = a.getAndIncrement()) d[i]++;
        }).start();
        new Thread(() -> {
            for (int i = b.getAndIncrement(); i < d.length; i = b.getAndIncrement()) d[i]++;
        }).start();
    }

    // ---- colours ----

    static void relax(float[][] g, int from, int to, int colour) {
        for (int i = from; i < to; i++) {
            float[] above = g[i - 1], row = g[i], below = g[i + 1];
            for (int j = 1 + ((i + colour) & 1); j < 99; j += 2)
                row[j] = (above[j] + below[j] + row[j - 1] + row[j + 1]) / 4;
        }
    }

    static void sweep(float[][] g, CyclicBarrier b, int from, int to) {
        try {
            for (int k = 0; k < 5; k++) {
                relax(g, from, to, 0);
                b.await();
                relax(g, from, to, 1);
                b.await();
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static void coloursOk() {
        float[][] g = new float[9][100];
        CyclicBarrier b = new CyclicBarrier(2);
        new Thread(() -> sweep(g, b, 1, 4)).start();
        new Thread(() -> sweep(g, b, 4, 8)).start();
    }

    /** Even and odd elements, without any barrier. */
    static void parityOk() {
        byte[] d = new byte[100];
        new Thread(() -> every(d, 10, 0)).start();
        new Thread(() -> {
            for (int i = 1; i < d.length; i += 2) d[i]++;
        }).start();
    }

    static void every(byte[] d, int n, int at) {
        for (int i = 0; i < n; i++) d[2 * i + (i % 5) * 4]++;
    }

    // ---- barriers ----

    /** Counts up; the last to come opens. */
    static final class Gate {
        private final int parties;
        private int count;
        private int round;

        Gate(int parties) {
            this.parties = parties;
        }

        synchronized void await() {
            int mine = round;
            if (++count == parties) {
                count = 0;
                round++;
                notifyAll();
                return;
            }
            while (mine == round) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    /** The same in another order, with one way out; an interrupt is left for later. */
    static final class Door {
        private int round, count = 0;
        private final int parties;

        Door(int parties) {
            this.parties = parties;
        }

        synchronized boolean pass() {
            count++;
            boolean last = false;
            int before = round;
            if (parties != count) {
                while (round == before) {
                    try {
                        wait(100);
                    } catch (InterruptedException e) {
                        last = false;
                    }
                }
            } else {
                round = round + 1;
                notifyAll();
                count = 0;
                last = true;
            }
            return last;
        }
    }

    static void gateOk(int n) {
        double[] d = new double[n];
        Gate gate = new Gate(n);
        Thread[] threads = new Thread[n];
        for (int t = 0; t < n; t++) {
            int me = t;
            threads[t] = new Thread(() -> {
                for (int k = 0; k < 10; k++) {
                    d[me]++;
                    gate.await();
                    double sum = 0;
                    for (double v : d) sum += v;
                    gate.await();
                }
            });
            threads[t].start();
        }
    }

    static void doorOk() {
        char[] d = new char[1];
        Door door = new Door(2);
        new Thread(() -> {
            d[0]++;
            door.pass();
            door.pass();
            d[0]++;
        }).start();
        new Thread(() -> {
            door.pass();
            d[0]++;
            door.pass();
        }).start();
    }

    /** One of the threads does not wait a second time. */
    static void doorBad() {
        boolean[] d = new boolean[1];
        Door door = new Door(2);
        new Thread(() -> {
            door.pass();
            d[0] = true;
        }).start();
        new Thread(() -> {
            door.pass();
            d[0] = false;
        }).start();
    }

    // ---- rounds ----

    static int inRound;

    /** Each round has a lock, and threads that are joined. */
    static void roundOk() throws InterruptedException {
        for (int k = 0; k < 5; k++) {
            Object lock = new Object();
            Thread[] threads = new Thread[3];
            for (int t = 0; t < threads.length; t++) {
                threads[t] = new Thread(() -> {
                    for (int i = 0; i < 10; i++) guarded(lock);
                });
            }
            for (Thread t : threads) t.start();
            for (Thread t : threads) t.join();
        }
    }

    static void guarded(Object lock) {
        synchronized (lock) {
            inRound++;
        }
    }

    // ---- ranges ----

    static void rangeOk() {
        String[] d = new String[100];
        for (int k = 0; k < 5; k++) IntStream.range(0, 100).parallel().forEach(i -> d[i] = d[i] + i);
    }

    public static void main(String[] args) throws InterruptedException {
        drawOk();
        rowOk();
        objectOk();
        twoCountersBad();
        coloursOk();
        parityOk();
        gateOk(args.length + 2);
        doorOk();
        doorBad();
        roundOk();
        rangeOk();
    }
}
