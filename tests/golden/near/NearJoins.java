// Races that stand close to the proof that joining a thread ends those that it has joined.  Each class has one.
public class NearJoins {
    public static void main(String[] args) throws Exception {
        Interrupted.run(args);
        FailsBefore.run(args);
        NotStarted.run(args);
        PerhapsNull.run(args);
        TimedJoin.run(args);
        PerhapsJoins.run(args);
        JoinsAnother.run(args);
        FilledTwice.run(args);
        FilledInRounds.run(args);
    }
    static void join(Thread t) {
        try {
            t.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
    /** The joining thread is interrupted and gives up. */
    static class Interrupted {
        static void run(String[] a) throws Exception {
            int[] d = new int[1];
            Thread filler = new Thread(() -> d[0]++);
            filler.start();
            Thread joiner = new Thread(() -> {
                try {
                    filler.join();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            joiner.start();
            joiner.interrupt();
            joiner.join();
            d[0]++;
        }
    }
    /** The joining thread may end by an exception before it joins. */
    static class FailsBefore {
        static void run(String[] a) throws Exception {
            int[] d = new int[1];
            Thread filler = new Thread(() -> d[0]++);
            filler.start();
            Thread joiner = new Thread(() -> {
                Integer.parseInt(a.length == 0 ? "x" : a[0]);
                NearJoins.join(filler);
            });
            joiner.start();
            joiner.join();
            d[0]++;
        }
    }
    /** The joining thread has not been started when it is joined. */
    static class NotStarted {
        static void run(String[] a) throws Exception {
            int[] d = new int[1];
            Thread filler = new Thread(() -> d[0]++);
            filler.start();
            Thread joiner = new Thread(() -> {
                try {
                    filler.join();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            joiner.join();
            d[0]++;
            joiner.start();
        }
    }
    /** The thread to join may be null, and the joining one ends by that. */
    static class PerhapsNull {
        static Thread filler;
        static void run(String[] a) throws Exception {
            int[] d = new int[1];
            Thread t = new Thread(() -> d[0]++);
            t.start();
            if (a.length > 0) filler = t;
            Thread joiner = new Thread(() -> {
                try {
                    filler.join();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            joiner.start();
            joiner.join();
            d[0]++;
        }
    }
    /** The joining thread waits for a while only. */
    static class TimedJoin {
        static void run(String[] a) throws Exception {
            int[] d = new int[1];
            Thread filler = new Thread(() -> d[0]++);
            filler.start();
            Thread joiner = new Thread(() -> {
                try {
                    filler.join(1);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            joiner.start();
            joiner.join();
            d[0]++;
        }
    }
    /** The joining thread does not always join. */
    static class PerhapsJoins {
        static void run(String[] a) throws Exception {
            int[] d = new int[1];
            Thread filler = new Thread(() -> d[0]++);
            filler.start();
            Thread joiner = new Thread(() -> {
                try {
                    if (a.length > 0) filler.join();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            joiner.start();
            joiner.join();
            d[0]++;
        }
    }
    /** One of two threads is joined. */
    static class JoinsAnother {
        static void run(String[] a) throws Exception {
            int[] d = new int[1];
            Thread filler = new Thread(() -> d[0]++), other = new Thread(() -> { });
            filler.start();
            other.start();
            Thread joiner = new Thread(() -> {
                try {
                    other.join();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            joiner.start();
            joiner.join();
            d[0]++;
        }
    }
    /** The array has the second threads only when it is joined. */
    static class FilledTwice {
        static void run(String[] a) throws Exception {
            int[] d = new int[1];
            Thread[] all = new Thread[2];
            for (int i = 0; i < all.length; i++) {
                all[i] = new Thread(() -> { synchronized (d) { d[0]++; } });
                all[i].start();
            }
            for (int i = 0; i < all.length; i++) {
                all[i] = new Thread(Thread::yield);
                all[i].start();
            }
            for (int i = 0; i < all.length; i++) all[i].join();
            d[0]++;
        }
    }
    /** Each round puts its threads where those of the round before were. */
    static class FilledInRounds {
        static void run(String[] a) throws Exception {
            int[] d = new int[1];
            Thread[] all = new Thread[2];
            for (int k = 0; k < 2; k++) {
                for (int i = 0; i < all.length; i++) {
                    all[i] = new Thread(() -> { synchronized (d) { d[0]++; } });
                    all[i].start();
                }
            }
            for (int i = 0; i < all.length; i++) all[i].join();
            d[0]++;
        }
    }
}
