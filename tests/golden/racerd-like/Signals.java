import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/** Hand-over by flags, latches and semaphores; and by things that only look like it. */
class Signals {
    static void joinedByAnotherOk() {
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
        try {
            joiner.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        d[0]++;
    }
    static void joinerGivesUpBad() {
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
        try {
            joiner.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        d[0]++;
    }

    static class Flag { static volatile boolean ready; static int data; }
    static void volatileFlagOk() {
        new Thread(() -> { Flag.data = 1; Flag.ready = true; }).start();
        new Thread(() -> { while (!Flag.ready) Thread.onSpinWait(); System.out.println(Flag.data); }).start();
    }

    static class Late { static volatile boolean ready; static int data; }
    static void writeAfterTheFlagBad() {
        new Thread(() -> { Late.ready = true; Late.data = 1; }).start();
        new Thread(() -> { while (!Late.ready) Thread.onSpinWait(); System.out.println(Late.data); }).start();
    }

    static class Plain { static boolean ready; static int data; }
    static void plainFlagBad() {
        new Thread(() -> { Plain.data = 1; Plain.ready = true; }).start();
        new Thread(() -> { if (Plain.ready) System.out.println(Plain.data); }).start();
    }

    static class Unchecked { static volatile boolean ready; static int data; }
    static void flagReadButNotTestedBad() {
        new Thread(() -> { Unchecked.data = 1; Unchecked.ready = true; }).start();
        new Thread(() -> { boolean b = Unchecked.ready; System.out.println(Unchecked.data + " " + b); }).start();
    }

    static class Wrong { static volatile boolean ready; static int data; }
    static void flagTestedTheWrongWayBad() {
        new Thread(() -> { Wrong.data = 1; Wrong.ready = true; }).start();
        new Thread(() -> { if (!Wrong.ready) System.out.println(Wrong.data); }).start();
    }

    static class Loop { static volatile boolean ready; static int data; }
    static void writeInLoopAroundTheFlagBad() {
        new Thread(() -> { for (int i = 0; i < 9; i++) { Loop.data = i; Loop.ready = true; } }).start();
        new Thread(() -> { while (!Loop.ready) Thread.onSpinWait(); System.out.println(Loop.data); }).start();
    }

    static class TwoSetters { static volatile boolean ready; static int data; }
    static void flagSetByAnotherThreadTooBad() {
        new Thread(() -> { TwoSetters.data = 1; TwoSetters.ready = true; }).start();
        new Thread(() -> TwoSetters.ready = true).start();
        new Thread(() -> { while (!TwoSetters.ready) Thread.onSpinWait(); System.out.println(TwoSetters.data); }).start();
    }

    static class Atom { static final AtomicBoolean READY = new AtomicBoolean(); static int data; }
    static void atomicFlagOk() {
        new Thread(() -> { Atom.data = 1; Atom.READY.set(true); }).start();
        new Thread(() -> { if (Atom.READY.get()) System.out.println(Atom.data); }).start();
    }

    static class InitiallySet { static final AtomicBoolean READY = new AtomicBoolean(true); static int data; }
    static void flagSetFromTheBeginningBad() {
        new Thread(() -> { InitiallySet.data = 1; InitiallySet.READY.set(true); }).start();
        new Thread(() -> { if (InitiallySet.READY.get()) System.out.println(InitiallySet.data); }).start();
    }

    static class Latch { static final CountDownLatch DONE = new CountDownLatch(2); static int x, y; }
    static void latchOfTwoOk() {
        new Thread(() -> { Latch.x = 1; Latch.DONE.countDown(); }).start();
        new Thread(() -> { Latch.y = 1; Latch.DONE.countDown(); }).start();
        new Thread(() -> {
            try { Latch.DONE.await(); } catch (InterruptedException e) { return; }
            System.out.println(Latch.x + Latch.y);
        }).start();
    }

    static class Short { static final CountDownLatch DONE = new CountDownLatch(1); static int x, y; }
    static void latchTooSmallBad() {
        new Thread(() -> { Short.x = 1; Short.DONE.countDown(); }).start();
        new Thread(() -> { Short.y = 1; Short.DONE.countDown(); }).start();
        new Thread(() -> {
            try { Short.DONE.await(); } catch (InterruptedException e) { return; }
            System.out.println(Short.x + Short.y);
        }).start();
    }

    static class Timed { static final CountDownLatch DONE = new CountDownLatch(1); static int x; }
    static void timedAwaitBad() {
        new Thread(() -> { Timed.x = 1; Timed.DONE.countDown(); }).start();
        new Thread(() -> {
            try { Timed.DONE.await(1, java.util.concurrent.TimeUnit.SECONDS); } catch (InterruptedException e) { return; }
            System.out.println(Timed.x);
        }).start();
    }

    static class Sema { static final Semaphore SIGNAL = new Semaphore(0); static int data; }
    static void semaphoreSignalOk() {
        new Thread(() -> { Sema.data = 1; Sema.SIGNAL.release(); }).start();
        new Thread(() -> { Sema.SIGNAL.acquireUninterruptibly(); System.out.println(Sema.data); }).start();
    }

    static class Open { static final Semaphore SIGNAL = new Semaphore(1); static int data; }
    static void semaphoreWithPermitsBad() {
        new Thread(() -> { Open.data = 1; Open.SIGNAL.release(); }).start();
        new Thread(() -> { Open.SIGNAL.acquireUninterruptibly(); System.out.println(Open.data); }).start();
    }

    public static void main(String[] args) {
        joinedByAnotherOk(); joinerGivesUpBad();
        volatileFlagOk(); writeAfterTheFlagBad(); plainFlagBad(); flagReadButNotTestedBad(); flagTestedTheWrongWayBad();
        writeInLoopAroundTheFlagBad(); flagSetByAnotherThreadTooBad(); atomicFlagOk(); flagSetFromTheBeginningBad();
        latchOfTwoOk(); latchTooSmallBad(); timedAwaitBad(); semaphoreSignalOk(); semaphoreWithPermitsBad();
    }
}
