// One Runnable for each thread, handed over in an array: its fields are its thread's own.  Near misses: one
// Runnable twice in the array, and a second round that starts before the first was joined.
public class Workers {
    static class Worker implements Runnable {
        int n;
        final int[] part = new int[4];

        public void run() {
            for (int i = 0; i < 4; i++) part[i] += n++;
        }
    }

    static final class Own extends Worker {}

    /** Calls itself: still its thread's own. */
    static final class Deep implements Runnable {
        int n;

        public void run() {
            down(5);
        }

        void down(int depth) {
            n++;
            if (depth > 0) down(depth - 1);
        }
    }

    /** Calls itself on another thread's worker. */
    static final class Astray implements Runnable {
        Astray next;
        int n;

        public void run() {
            down(5);
        }

        void down(int depth) {
            n++; // race
            if (depth > 0) next.down(depth - 1);
        }
    }

    static final class Twice implements Runnable {
        int n;

        public void run() {
            n++; // race: two threads run one of them
        }
    }

    /** One object behind different function objects. */
    static final class Behind {
        int n;

        public void run() {
            n++; // race
        }
    }

    static final class Again implements Runnable {
        int n;

        public void run() {
            n++; // race: the second round runs them as well
        }
    }

    static void joined(Runnable[] workers) throws InterruptedException {
        Thread[] threads = new Thread[workers.length];
        for (int i = 0; i < workers.length; i++) {
            threads[i] = new Thread(workers[i]);
            threads[i].start();
        }
        for (Thread t : threads) t.join();
    }

    static void doubled(Runnable[] workers) throws InterruptedException {
        Thread[] threads = new Thread[workers.length];
        for (int i = 0; i < workers.length; i++) {
            threads[i] = new Thread(workers[i]);
            threads[i].start();
        }
        for (Thread t : threads) t.join();
    }

    static void deep(Runnable[] workers) throws InterruptedException {
        Thread[] threads = new Thread[workers.length];
        for (int i = 0; i < workers.length; i++) {
            threads[i] = new Thread(workers[i]);
            threads[i].start();
        }
        for (Thread t : threads) t.join();
    }

    static void astray(Astray[] workers) throws InterruptedException {
        Thread[] threads = new Thread[workers.length];
        for (int i = 0; i < workers.length; i++) {
            threads[i] = new Thread(workers[i]);
            threads[i].start();
        }
        for (Thread t : threads) t.join();
    }

    static void behind(Runnable[] workers) throws InterruptedException {
        Thread[] threads = new Thread[workers.length];
        for (int i = 0; i < workers.length; i++) {
            threads[i] = new Thread(workers[i]);
            threads[i].start();
        }
        for (Thread t : threads) t.join();
    }

    static void loose(Runnable[] workers) {
        for (int i = 0; i < workers.length; i++) new Thread(workers[i]).start();
    }

    public static void main(String[] args) throws InterruptedException {
        for (int round = 0; round < 3; round++) {
            Runnable[] own = new Runnable[4];
            for (int i = 0; i < 4; i++) own[i] = new Own();
            joined(own);
        }
        Runnable[] twice = new Runnable[4];
        for (int i = 0; i < 4; i++) twice[i] = new Twice();
        twice[1] = twice[0];
        doubled(twice);
        Runnable[] deep = new Runnable[4];
        for (int i = 0; i < 4; i++) deep[i] = new Deep();
        deep(deep);
        Astray[] astray = new Astray[4];
        for (int i = 0; i < 4; i++) astray[i] = new Astray();
        for (int i = 0; i < 3; i++) astray[i].next = astray[i + 1];
        astray[3].next = astray[0];
        astray(astray);
        Behind shared = new Behind();
        Runnable[] behind = new Runnable[4];
        for (int i = 0; i < 4; i++) behind[i] = shared::run;
        behind(behind);
        Runnable[] again = new Runnable[4];
        for (int i = 0; i < 4; i++) again[i] = new Again();
        loose(again);
        loose(again);
    }
}
