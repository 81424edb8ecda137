// Races that stand close to proofs about work that threads share out: numbers drawn from a counter, colours of a grid,
// barriers that programs build.  Each class has one.
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

public class NearShares {
    public static void main(String[] args) throws Exception {
        TwoKindsOfDraws.run(args);
        CounterSetBack.run(args);
        OwnCounterSetBack.run(args);
        DrawnForOthers.run(args);
        OwnCounters.run(args);
        NextToDrawn.run(args);
        RowTwice.run(args);
        SameColour.run(args);
        StepsOfThree.run(args);
        NoTurn.run(args);
        NoGrid.run(args);
        SharedRows.run(args);
        FewerParties.run(args);
        LeavesWhenInterrupted.run(args);
        WaitsOnce.run(args);
        OpenedByHand.run(args);
        CountStays.run(args);
        ComesAgain.run(args);
        OneEach.run(args);
        RoundsOverlap.run(args);
        FunctionOfBefore.run(args);
        StartedLater.run(args);
        OwnLocks.run(args);
        NumbersTwice.run(args);
        NextToNumber.run(args);
        RangeTwice.run(args);
        RangeFailed.run(args);
        BothColours.run(args);
    }
    /** The two ways to draw hand out the same numbers. */
    static class TwoKindsOfDraws {
        static void run(String[] a) {
            AtomicInteger next = new AtomicInteger();
            int[] d = new int[100];
            new Thread(() -> {
                for (int i = next.getAndIncrement(); i < 100; i = next.getAndIncrement()) d[i]++;
            }).start();
            new Thread(() -> {
                for (int i = next.incrementAndGet(); i < 100; i = next.incrementAndGet()) d[i]++;
            }).start();
        }
    }
    /** The counter begins again while threads still work. */
    static class CounterSetBack {
        static void run(String[] a) {
            AtomicInteger next = new AtomicInteger();
            int[] d = new int[100];
            for (int t = 0; t < 2; t++) {
                new Thread(() -> {
                    for (int i = next.getAndIncrement(); i < 100; i = next.getAndIncrement()) d[i]++;
                }).start();
            }
            next.set(0);
        }
    }
    /** The same through a subclass. */
    static class OwnCounterSetBack {
        static class Counter extends AtomicInteger {
            static final long serialVersionUID = 1;
        }
        static void run(String[] a) {
            Counter own = new Counter();
            AtomicInteger next = own;
            int[] d = new int[100];
            for (int t = 0; t < 2; t++) {
                new Thread(() -> {
                    for (int i = next.getAndIncrement(); i < 100; i = next.getAndIncrement()) d[i]++;
                }).start();
            }
            own.set(0);
        }
    }
    /** The number is drawn by one thread for two others. */
    static class DrawnForOthers {
        static void run(String[] a) {
            AtomicInteger next = new AtomicInteger();
            int[] d = new int[100];
            int drawn = next.getAndIncrement();
            for (int t = 0; t < 2; t++) new Thread(() -> d[drawn]++).start();
        }
    }
    /** Each thread draws from a counter of its own. */
    static class OwnCounters {
        static void run(String[] a) {
            int[] d = new int[100];
            for (int t = 0; t < 2; t++) {
                AtomicInteger next = new AtomicInteger();
                new Thread(() -> {
                    for (int i = next.getAndIncrement(); i < 100; i = next.getAndIncrement()) d[i]++;
                }).start();
            }
        }
    }
    /** The number after the one that was drawn. */
    static class NextToDrawn {
        static void run(String[] a) {
            AtomicInteger next = new AtomicInteger();
            int[] d = new int[100];
            for (int t = 0; t < 2; t++) {
                new Thread(() -> {
                    for (int i = next.getAndIncrement(); i < 99; i = next.getAndIncrement()) d[i] = d[i + 1];
                }).start();
            }
        }
    }
    /** One row stands at two places. */
    static class RowTwice {
        static void run(String[] a) {
            AtomicInteger next = new AtomicInteger();
            int[][] d = new int[100][10];
            d[1] = d[0];
            for (int t = 0; t < 2; t++) {
                new Thread(() -> {
                    for (int i = next.getAndIncrement(); i < 100; i = next.getAndIncrement()) d[i][0]++;
                }).start();
            }
        }
    }
    /** The neighbour that is read has the colour that is written. */
    static class SameColour {
        static void relax(double[][] g, int from, int to, int colour) {
            for (int i = from; i < to; i++) {
                double[] above = g[i - 1], row = g[i];
                for (int j = 1 + ((i + colour) & 1); j < 98; j += 2) row[j] = above[j + 1];
            }
        }
        static void sweep(double[][] g, CyclicBarrier b, int from, int to) {
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
        static void run(String[] a) {
            double[][] g = new double[9][100];
            CyclicBarrier b = new CyclicBarrier(2);
            new Thread(() -> sweep(g, b, 1, 4)).start();
            new Thread(() -> sweep(g, b, 4, 8)).start();
        }
    }
    /** Three is no even step. */
    static class StepsOfThree {
        static void relax(double[][] g, int from, int to, int colour) {
            for (int i = from; i < to; i++) {
                double[] above = g[i - 1], row = g[i];
                for (int j = 1 + ((i + colour) & 1); j < 98; j += 3) row[j] = above[j];
            }
        }
        static void sweep(double[][] g, CyclicBarrier b, int from, int to) {
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
        static void run(String[] a) {
            double[][] g = new double[9][100];
            CyclicBarrier b = new CyclicBarrier(2);
            new Thread(() -> sweep(g, b, 1, 4)).start();
            new Thread(() -> sweep(g, b, 4, 8)).start();
        }
    }
    /** The colours do not take turns: both are at work between two waits. */
    static class NoTurn {
        static void relax(double[][] g, int from, int to, int colour) {
            for (int i = from; i < to; i++) {
                double[] above = g[i - 1], row = g[i];
                for (int j = 1 + ((i + colour) & 1); j < 98; j += 2) row[j] = above[j];
            }
        }
        static void sweep(double[][] g, CyclicBarrier b, int from, int to) {
            try {
                for (int k = 0; k < 5; k++) {
                    relax(g, from, to, 0);
                    Thread.yield();
                    relax(g, from, to, 1);
                    b.await();
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
        static void run(String[] a) {
            double[][] g = new double[9][100];
            CyclicBarrier b = new CyclicBarrier(2);
            new Thread(() -> sweep(g, b, 1, 4)).start();
            new Thread(() -> sweep(g, b, 4, 8)).start();
        }
    }
    /** The colour does not depend on the row. */
    static class NoGrid {
        static void relax(double[][] g, int from, int to, int colour) {
            for (int i = from; i < to; i++) {
                double[] above = g[i - 1], row = g[i];
                for (int j = 1 + (colour & 1); j < 98; j += 2) row[j] = above[j];
            }
        }
        static void sweep(double[][] g, CyclicBarrier b, int from, int to) {
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
        static void run(String[] a) {
            double[][] g = new double[9][100];
            CyclicBarrier b = new CyclicBarrier(2);
            new Thread(() -> sweep(g, b, 1, 4)).start();
            new Thread(() -> sweep(g, b, 4, 8)).start();
        }
    }
    /** Rows of two indices are one. */
    static class SharedRows {
        static void relax(double[][] g, int from, int to, int colour) {
            for (int i = from; i < to; i++) {
                double[] above = g[i - 1], row = g[i];
                for (int j = 1 + ((i + colour) & 1); j < 98; j += 2) row[j] = above[j];
            }
        }
        static void sweep(double[][] g, CyclicBarrier b, int from, int to) {
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
        static void run(String[] a) {
            double[][] g = new double[9][100];
            CyclicBarrier b = new CyclicBarrier(2);
            g[4] = g[1];
            new Thread(() -> sweep(g, b, 1, 4)).start();
            new Thread(() -> sweep(g, b, 4, 8)).start();
        }
    }
    /** Two of three threads are enough to open it. */
    static class FewerParties {
        static int x;
        static class Barrier {
            private final int parties;
            private int count, round;
            Barrier(int parties) {
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
        static void run(String[] a) {
            Barrier b = new Barrier(2);
            for (int t = 0; t < 3; t++) {
                int me = t;
                new Thread(() -> {
                    if (me == 0) x++;
                    b.await();
                    if (me == 1) x++;
                    b.await();
                }).start();
            }
        }
    }
    /** Who is interrupted goes on as if all had come. */
    static class LeavesWhenInterrupted {
        static int x;
        static class Barrier {
            private final int parties;
            private int count, round;
            Barrier(int parties) {
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
                        return;
                    }
                }
            }
        }
        static void run(String[] a) {
            Barrier b = new Barrier(2);
            for (int t = 0; t < 2; t++) {
                int me = t;
                new Thread(() -> {
                    if (me == 0) x++;
                    b.await();
                    if (me == 1) x++;
                    b.await();
                }).start();
            }
            Thread.currentThread().interrupt();
        }
    }
    /** Who is woken for nothing goes on. */
    static class WaitsOnce {
        static int x;
        static class Barrier {
            private final int parties;
            private int count, round;
            Barrier(int parties) {
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
                if (mine == round) {
                    try {
                        wait();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
        }
        static void run(String[] a) {
            Barrier b = new Barrier(2);
            for (int t = 0; t < 2; t++) {
                int me = t;
                new Thread(() -> {
                    if (me == 0) x++;
                    b.await();
                    if (me == 1) x++;
                    b.await();
                }).start();
            }
        }
    }
    /** Another method opens it. */
    static class OpenedByHand {
        static int x;
        static class Barrier {
            private final int parties;
            private int count, round;
            Barrier(int parties) {
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
            synchronized void open() {
                round++;
                notifyAll();
            }
        }
        static void run(String[] a) {
            Barrier b = new Barrier(2);
            for (int t = 0; t < 2; t++) {
                int me = t;
                new Thread(() -> {
                    if (me == 0) x++;
                    b.await();
                    if (me == 1) x++;
                    b.await();
                }).start();
            }
            b.open();
        }
    }
    /** The count is not set back but goes on, so that nobody ever waits for the next round. */
    static class CountStays {
        static int x;
        static class Barrier {
            private final int parties;
            private int count, round;
            Barrier(int parties) {
                this.parties = parties;
            }
            synchronized void await() {
                int mine = round;
                if (++count >= parties) {
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
        static void run(String[] a) {
            Barrier b = new Barrier(2);
            for (int t = 0; t < 2; t++) {
                int me = t;
                new Thread(() -> {
                    if (me == 0) x++;
                    b.await();
                    if (me == 1) x++;
                    b.await();
                }).start();
            }
        }
    }
    /** A thread that was counted and left by an exception comes again and counts for two. */
    static class ComesAgain {
        static int x;
        static class Barrier {
            private final int parties;
            private int count, round;
            Barrier(int parties) {
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
        static void run(String[] a) {
            Barrier b = new Barrier(2);
            for (int t = 0; t < 2; t++) {
                int me = t;
                new Thread(() -> {
                    for (int k = 0; k < 10; k++) {
                        try {
                            if (me == k % 2) x++;
                            b.await();
                        } catch (IllegalStateException e) {
                            System.out.println(e);
                        }
                    }
                }).start();
            }
        }
    }
    /** Each round of threads has a barrier, but one group of threads is still at work when the next begins. */
    static class OneEach {
        static int x;
        static class Barrier {
            private final int parties;
            private int count, round;
            Barrier(int parties) {
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
        static void run(String[] a) {
            for (int k = 0; k < 2; k++) start(new Barrier(2));
        }
        static void start(Barrier b) {
            for (int t = 0; t < 2; t++) {
                int me = t;
                new Thread(() -> {
                    if (me == 0) x++;
                    b.await();
                    if (me == 1) x++;
                    b.await();
                }).start();
            }
        }
    }
    /** A lock of each round, whose threads are still alive in the next one. */
    static class RoundsOverlap {
        static int x;
        static void run(String[] a) {
            for (int k = 0; k < 5; k++) {
                Object lock = new Object();
                for (int t = 0; t < 2; t++) {
                    new Thread(() -> {
                        synchronized (lock) {
                            x++;
                        }
                    }).start();
                }
            }
        }
    }
    /** A thread of one round runs the function of the round before, too. */
    static class FunctionOfBefore {
        static int x;
        static void run(String[] a) throws Exception {
            Runnable before = () -> {};
            for (int k = 0; k < 5; k++) {
                Object lock = new Object();
                Runnable one = () -> {
                    synchronized (lock) {
                        x++;
                    }
                };
                Runnable other = before;
                Thread t1 = new Thread(() -> one.run());
                Thread t2 = new Thread(() -> other.run());
                t1.start();
                t2.start();
                t1.join();
                t2.join();
                before = one;
            }
        }
    }
    /** A thread is made in one round and started in the next. */
    static class StartedLater {
        static int x;
        static void run(String[] a) throws Exception {
            Thread[] threads = new Thread[6];
            for (int k = 0; k < 6; k++) {
                Object lock = new Object();
                threads[k] = new Thread(() -> {
                    synchronized (lock) {
                        x++;
                    }
                });
                if (k % 2 == 0) continue;
                threads[k - 1].start();
                threads[k].start();
                threads[k - 1].join();
                threads[k].join();
            }
        }
    }
    /** Each thread of the round has a lock of its own. */
    static class OwnLocks {
        static int x;
        static void run(String[] a) throws Exception {
            for (int k = 0; k < 5; k++) {
                Thread[] threads = new Thread[3];
                for (int t = 0; t < threads.length; t++) {
                    Object lock = new Object();
                    threads[t] = new Thread(() -> {
                        synchronized (lock) {
                            x++;
                        }
                    });
                    threads[t].start();
                }
                for (Thread t : threads) t.join();
            }
        }
    }
    /** The same number more than once. */
    static class NumbersTwice {
        static void run(String[] a) {
            int[] d = new int[100];
            IntStream.of(1, 2, 1, 3).parallel().forEach(i -> d[i]++);
        }
    }
    /** The element beside that of the number. */
    static class NextToNumber {
        static void run(String[] a) {
            int[] d = new int[100];
            IntStream.range(0, 99).parallel().forEach(i -> d[i] = d[i + 1]);
        }
    }
    /** Two threads run the range at once. */
    static class RangeTwice {
        static void run(String[] a) {
            int[] d = new int[100];
            for (int t = 0; t < 2; t++) {
                new Thread(() -> IntStream.range(0, 100).parallel().forEach(i -> d[i]++)).start();
            }
        }
    }
    /** A range that failed is still at work when the next one begins. */
    static class RangeFailed {
        static void run(String[] a) {
            int[] d = new int[100];
            for (int k = 0; k < 5; k++) {
                try {
                    IntStream.range(0, 100).parallel().forEach(i -> d[i] = 7 / (i - 50));
                } catch (ArithmeticException e) {
                    System.out.println(e);
                }
            }
        }
    }
    /** The other colour is done by a call of the method by itself. */
    static class BothColours {
        static void relax(double[][] g, int from, int to, int colour, boolean more) {
            for (int i = from; i < to; i++) {
                double[] above = g[i - 1], row = g[i];
                for (int j = 1 + ((i + colour) & 1); j < 98; j += 2) row[j] = above[j];
            }
            if (more) relax(g, from, to, 1 - colour, false);
        }
        static void sweep(double[][] g, CyclicBarrier b, int from, int to) {
            try {
                for (int k = 0; k < 5; k++) {
                    relax(g, from, to, 0, true);
                    b.await();
                    relax(g, from, to, 1, true);
                    b.await();
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
        static void run(String[] a) {
            double[][] g = new double[9][100];
            CyclicBarrier b = new CyclicBarrier(2);
            new Thread(() -> sweep(g, b, 1, 4)).start();
            new Thread(() -> sweep(g, b, 4, 8)).start();
        }
    }
}
