import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

// Locks made of turns, flags and permits.  Fields called ok... are guarded; each bad... is a near miss.
public class Turns {
    static volatile int turn, sameTurn, pushedTurn, earlyTurn;
    static int plainTurn, nakedTurn;
    static final AtomicBoolean SPIN = new AtomicBoolean(), OPEN = new AtomicBoolean();
    static final AtomicInteger TICKET = new AtomicInteger(), CALLED = new AtomicInteger();
    static final AtomicInteger RESET = new AtomicInteger(), CALLED_RESET = new AtomicInteger();
    static final Semaphore ONE = new Semaphore(1), TWO = new Semaphore(2), LOOSE = new Semaphore(1);
    static final ReentrantLock HELPED = new ReentrantLock();
    static int okTurn, okSpin, okTicket, okPermit, okPlain, okHelped;
    static int badSame, badPushed, badEarly, badOpen, badReset, badTwo, badLoose, badNaked;

    static void lock(AtomicBoolean b) {
        while (!b.compareAndSet(false, true)) Thread.yield();
    }

    static void lockOpen() {
        while (OPEN.getAndSet(true)) Thread.yield();
    }

    static void enter() {
        HELPED.lock();
    }

    static void leave() {
        HELPED.unlock();
    }

    static void turns(int me) {
        while (turn != me) Thread.yield();
        okTurn++;
        turn = 1 - me;
        while (sameTurn != 0) Thread.yield();
        badSame++; // both wait for 0
        sameTurn = 0;
        while (pushedTurn != me) Thread.yield();
        badPushed++; // main writes the turn as it likes
        pushedTurn = 1 - me;
        while (earlyTurn != me) Thread.yield();
        earlyTurn = 1 - me;
        badEarly++; // the turn is gone already
    }

    static void monitors(int me) {
        synchronized (Turns.class) {
            if (plainTurn != me) return;
        }
        okPlain++;
        synchronized (Turns.class) {
            plainTurn = 1 - me;
        }
        if (nakedTurn != me) return;
        badNaked++; // the test sees a plain write
        synchronized (Turns.class) {
            nakedTurn = 1 - me;
        }
    }

    static void locks() throws InterruptedException {
        lock(SPIN);
        okSpin++;
        SPIN.set(false);
        lockOpen();
        badOpen++; // main opens it
        OPEN.set(false);
        int mine = TICKET.getAndIncrement();
        while (CALLED.get() != mine) Thread.yield();
        okTicket++;
        CALLED.set(mine + 1);
        mine = RESET.getAndIncrement();
        while (CALLED_RESET.get() != mine) Thread.yield();
        badReset++; // main starts the numbers again
        CALLED_RESET.set(mine + 1);
        ONE.acquire();
        okPermit++;
        ONE.release();
        TWO.acquire();
        badTwo++;
        TWO.release();
        LOOSE.acquire();
        badLoose++; // main adds a permit
        LOOSE.release();
        enter();
        okHelped++;
        leave();
    }

    static void run(int me) {
        try {
            turns(me);
            monitors(me);
            locks();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        turn = 0;
        Thread t1 = new Thread(() -> run(0)), t2 = new Thread(() -> run(1));
        t1.start();
        t2.start();
        pushedTurn = args.length;
        OPEN.set(false);
        RESET.set(0);
        LOOSE.release();
        t1.join();
        t2.join();
        System.out.println(okTurn + okSpin + okTicket + okPermit + okPlain + okHelped);
    }
}
