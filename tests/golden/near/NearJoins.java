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
        AllButOne.run(args);
        PerhapsNone.run(args);
        StopsAtOne.run(args);
        ReplacesOne.run(args);
        LosesPatience.run(args);
        Swallows.run(args);
        JoinsFirst.run(args);
        FilledElsewhere.run(args);
        OtherState.run(args);
        SaysTerminated.run(args);
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
    /** One thread is left out. */
    static class AllButOne {
        static void join(Thread[] all) throws Exception {
            for (int i = 0; i < all.length - 1; i++) all[i].join();
        }
        static void run(String[] a) throws Exception {
            int[] d = new int[1];
            Thread[] all = new Thread[2];
            for (int i = 0; i < all.length; i++) {
                all[i] = new Thread(() -> { synchronized (d) { d[0]++; } });
                all[i].start();
            }
            join(all);
            d[0]++;
        }
    }
    /** The method may return before the loop. */
    static class PerhapsNone {
        static void join(Thread[] all) throws Exception {
            if (Thread.interrupted()) return;
            for (Thread t : all) t.join();
        }
        static void run(String[] a) throws Exception {
            int[] d = new int[1];
            Thread[] all = new Thread[2];
            for (int i = 0; i < all.length; i++) {
                all[i] = new Thread(() -> { synchronized (d) { d[0]++; } });
                all[i].start();
            }
            join(all);
            d[0]++;
        }
    }
    /** The loop may be left in the middle. */
    static class StopsAtOne {
        static void join(Thread[] all) throws Exception {
            for (Thread t : all) {
                if (t.isDaemon()) break;
                t.join();
            }
        }
        static void run(String[] a) throws Exception {
            int[] d = new int[1];
            Thread[] all = new Thread[2];
            for (int i = 0; i < all.length; i++) {
                all[i] = new Thread(() -> { synchronized (d) { d[0]++; } });
                all[i].start();
            }
            join(all);
            d[0]++;
        }
    }
    /** An element is another thread when it is joined. */
    static class ReplacesOne {
        static void join(Thread[] all) throws Exception {
            all[0] = new Thread();
            for (Thread t : all) t.join();
        }
        static void run(String[] a) throws Exception {
            int[] d = new int[1];
            Thread[] all = new Thread[2];
            for (int i = 0; i < all.length; i++) {
                all[i] = new Thread(() -> { synchronized (d) { d[0]++; } });
                all[i].start();
            }
            join(all);
            d[0]++;
        }
    }
    /** The joins have a time limit. */
    static class LosesPatience {
        static void join(Thread[] all) throws Exception {
            for (Thread t : all) t.join(10);
        }
        static void run(String[] a) throws Exception {
            int[] d = new int[1];
            Thread[] all = new Thread[2];
            for (int i = 0; i < all.length; i++) {
                all[i] = new Thread(() -> { synchronized (d) { d[0]++; } });
                all[i].start();
            }
            join(all);
            d[0]++;
        }
    }
    /** An interrupted join counts as one. */
    static class Swallows {
        static void join(Thread[] all) throws Exception {
            for (Thread t : all) {
                try {
                    t.join();
                } catch (InterruptedException e) {
                    continue;
                }
            }
        }
        static void run(String[] a) throws Exception {
            int[] d = new int[1];
            Thread[] all = new Thread[2];
            for (int i = 0; i < all.length; i++) {
                all[i] = new Thread(() -> { synchronized (d) { d[0]++; } });
                all[i].start();
            }
            join(all);
            d[0]++;
        }
    }
    /** They are joined before they are started. */
    static class JoinsFirst {
        static void join(Thread[] all) throws Exception {
            for (Thread t : all) t.join();
        }
        static void run(String[] a) throws Exception {
            int[] d = new int[1];
            Thread[] all = new Thread[2];
            for (int i = 0; i < all.length; i++) all[i] = new Thread(() -> { synchronized (d) { d[0]++; } });
            join(all);
            for (int i = 0; i < all.length; i++) all[i].start();
            d[0]++;
        }
    }
    /** Another method that gets the array puts other threads into it. */
    static class FilledElsewhere {
        static void join(Thread[] all) throws Exception {
            for (Thread t : all) t.join();
        }
        static void refill(Thread[] all) {
            for (int i = 0; i < all.length; i++) all[i] = new Thread();
        }
        static void run(String[] a) throws Exception {
            int[] d = new int[1];
            Thread[] all = new Thread[2];
            for (int i = 0; i < all.length; i++) {
                all[i] = new Thread(() -> { synchronized (d) { d[0]++; } });
                all[i].start();
            }
            refill(all);
            join(all);
            d[0]++;
        }
    }
    /** Another state than terminated is seen. */
    static class OtherState {
        static void run(String[] a) throws Exception {
            int[] d = new int[1];
            Thread filler = new Thread(() -> d[0]++);
            filler.start();
            while (filler.getState() == Thread.State.TERMINATED) Thread.yield();
            d[0]++;
        }
    }
    /** The thread's own getState() says that it has terminated. */
    static class SaysTerminated {
        static class Filler extends Thread {
            int d;
            @Override
            public void run() {
                d++;
            }
            @Override
            public Thread.State getState() {
                return Thread.State.TERMINATED;
            }
        }
        static void run(String[] a) throws Exception {
            Filler filler = new Filler();
            filler.start();
            while (filler.getState() != Thread.State.TERMINATED) Thread.yield();
            filler.d++;
        }
    }
}
