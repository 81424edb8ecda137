import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Phaser;

// Phases between barriers.  ...Ok: what one phase writes is read in another; ...Bad: the barrier does not see to that.
public class Phases {
    /** All threads read all, then write their own. */
    static final class Alternate {
        final int[] a = new int[100];
        final int threads;
        final CyclicBarrier read, written;
        int steps;

        Alternate(int threads, int parties) {
            this.threads = threads;
            read = new CyclicBarrier(parties, this::action);
            written = new CyclicBarrier(parties);
        }

        void action() {
            steps++;
        }
    }

    static void alternateOk(int threads) throws InterruptedException {
        Alternate x = new Alternate(threads, threads);
        Thread[] ts = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            int id = i;
            ts[i] = new Thread(() -> {
                try {
                    for (int n = 0; n < 10; n++) {
                        int sum = 0;
                        for (int v : x.a) sum += v;
                        x.read.await();
                        x.a[id] = sum + x.steps;
                        x.written.await();
                    }
                } catch (InterruptedException | BrokenBarrierException e) {
                    throw new IllegalStateException(e);
                }
            });
            ts[i].start();
        }
        for (Thread t : ts) t.join();
    }

    static void morePartiesOk(int threads) throws InterruptedException {
        Phaser p = new Phaser(threads + 1);
        long[] a = new long[100];
        Thread[] ts = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            int id = i;
            ts[i] = new Thread(() -> {
                long sum = a[0] + a[99];
                p.arriveAndAwaitAdvance();
                a[id] = sum;
            });
            ts[i].start();
        }
        p.arriveAndAwaitAdvance();
        for (Thread t : ts) t.join();
    }

    static void fewerPartiesBad(int threads) throws InterruptedException {
        Phaser p = new Phaser(threads - 1);
        long[] a = new long[100];
        Thread[] ts = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            int id = i;
            ts[i] = new Thread(() -> {
                long sum = a[0] + a[99]; // race: one thread too many
                p.arriveAndAwaitAdvance();
                a[id] = sum;
            });
            ts[i].start();
        }
        for (Thread t : ts) t.join();
    }

    /** Two parties, but three threads wait. */
    static void thirdBad() {
        Phaser p = new Phaser(2);
        byte[] a = new byte[1];
        Thread t1 = new Thread(() -> {
            a[0]++; // race
            p.arriveAndAwaitAdvance();
        });
        Thread t2 = new Thread(() -> {
            p.arriveAndAwaitAdvance();
            a[0]++;
        });
        Thread t3 = new Thread(() -> p.arriveAndAwaitAdvance());
        t1.setDaemon(true); // may wait for ever
        t2.setDaemon(true);
        t3.setDaemon(true);
        t1.start();
        t2.start();
        t3.start();
    }

    static void pairOk() throws InterruptedException {
        Phaser p = new Phaser(2);
        byte[] a = new byte[1];
        Thread t1 = new Thread(() -> {
            a[0]++;
            p.arriveAndAwaitAdvance();
        });
        Thread t2 = new Thread(() -> {
            p.arriveAndAwaitAdvance();
            a[0]++;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
    }

    /** A thread that goes on without waiting. */
    static void skipBad(boolean skip) {
        Phaser p = new Phaser(2);
        short[] a = new short[1];
        Thread t1 = new Thread(() -> {
            for (int i = 0; i < 10; i++) {
                a[0]++; // race
                p.arriveAndAwaitAdvance();
                p.arriveAndAwaitAdvance();
            }
        });
        Thread t2 = new Thread(() -> {
            for (int i = 0; i < 10; i++) {
                if (!skip) p.arriveAndAwaitAdvance();
                a[0]++;
                p.arriveAndAwaitAdvance();
            }
        });
        t1.setDaemon(true); // may wait for ever
        t2.setDaemon(true);
        t1.start();
        t2.start();
    }

    /** Out of the loop before the wait: what comes behind the loop is in no known phase. */
    static void breakBad(int[] stop) {
        Phaser p = new Phaser(2);
        char[] a = new char[1];
        Thread t1 = new Thread(() -> {
            for (int i = 0; i < 10; i++) {
                p.arriveAndAwaitAdvance();
                if (stop.length == i) break;
                p.arriveAndAwaitAdvance();
            }
            a[0]++; // race
        });
        Thread t2 = new Thread(() -> {
            for (int i = 0; i < 10; i++) {
                a[0]++;
                p.arriveAndAwaitAdvance();
                a[0]++;
                p.arriveAndAwaitAdvance();
            }
        });
        t1.setDaemon(true); // may wait for ever
        t2.setDaemon(true);
        t1.start();
        t2.start();
    }

    /** Leaving for good: what follows is in no phase. */
    static void leaveBad() throws InterruptedException {
        Phaser p = new Phaser(2);
        float[] a = new float[1];
        Thread t1 = new Thread(() -> {
            p.arriveAndDeregister();
            a[0]++; // race
        });
        Thread t2 = new Thread(() -> {
            p.arriveAndAwaitAdvance();
            a[0]++;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
    }

    static void leaveOk() throws InterruptedException {
        Phaser p = new Phaser(2);
        float[] a = new float[1];
        Thread t1 = new Thread(() -> {
            a[0]++;
            p.arriveAndDeregister();
        });
        Thread t2 = new Thread(() -> {
            p.arriveAndAwaitAdvance();
            a[0]++;
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
    }

    /** Arriving without waiting. */
    static void arriveBad() {
        Phaser p = new Phaser(2);
        double[] a = new double[1];
        Thread t1 = new Thread(() -> {
            p.arrive();
            a[0]++; // race
            p.arriveAndAwaitAdvance();
        });
        Thread t2 = new Thread(() -> {
            p.arriveAndAwaitAdvance();
            a[0]++;
            p.arriveAndAwaitAdvance();
        });
        t1.setDaemon(true); // may wait for ever
        t2.setDaemon(true);
        t1.start();
        t2.start();
    }

    /** After a wait that failed nobody knows where the others are. */
    static void caughtBad() throws InterruptedException {
        CyclicBarrier b = new CyclicBarrier(2);
        boolean[] a = new boolean[1];
        Thread t1 = new Thread(() -> {
            try {
                b.await();
            } catch (InterruptedException | BrokenBarrierException e) {
                System.out.println("broken");
            }
            a[0] = true; // race
        });
        Thread t2 = new Thread(() -> {
            a[0] = false;
            try {
                b.await();
            } catch (InterruptedException | BrokenBarrierException e) {
                throw new IllegalStateException(e);
            }
        });
        t1.start();
        t2.start();
        t1.interrupt();
        t1.join();
        t2.join();
    }

    /** A barrier of its own for each thread. */
    static void ownBad() throws InterruptedException {
        Object[] a = new Object[1];
        Thread[] ts = new Thread[2];
        for (int i = 0; i < 2; i++) {
            ts[i] = new Thread(() -> {
                Phaser p = new Phaser(1);
                Object o = a[0]; // race
                p.arriveAndAwaitAdvance();
                a[0] = p;
            });
            ts[i].start();
        }
        for (Thread t : ts) t.join();
    }

    /** The second batch of threads starts while the first still runs. */
    static void twoBatchesBad() {
        Phaser p = new Phaser(2);
        String[] a = new String[1];
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 2; i++) {
                new Thread(() -> {
                    String s = a[0]; // race
                    p.arriveAndAwaitAdvance();
                    a[0] = "x" + s;
                }).start();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int threads = args.length + 2;
        alternateOk(threads);
        morePartiesOk(threads);
        fewerPartiesBad(threads);
        thirdBad();
        pairOk();
        skipBad(args.length == 0);
        breakBad(new int[args.length]);
        leaveBad();
        leaveOk();
        arriveBad();
        caughtBad();
        ownBad();
        twoBatchesBad();
    }
}
