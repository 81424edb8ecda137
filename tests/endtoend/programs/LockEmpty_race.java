// race: static LockEmpty_race.a
// race: static LockEmpty_race.b
// race: static LockEmpty_race.c
// race: static LockEmpty_race.d
// Another lock than the writer's orders nothing.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.ReentrantLock;

public class LockEmpty_race {
    static final class Gate {
        final ReentrantLock lock = new ReentrantLock();
        final Object monitor = new Object();

        synchronized void pass() {}

        void passIn() {
            synchronized (this) {
            }
        }

        void passMonitor() {
            synchronized (monitor) {
            }
        }

        void passLock() {
            lock.lock();
            lock.unlock();
        }
    }

    static final VarHandle STEP;

    static {
        try {
            STEP = MethodHandles.lookup().findStaticVarHandle(LockEmpty_race.class, "step", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static int step; // opaque: tells when, and orders nothing
    static int a, b, c, d;

    static void await(int n) {
        while ((int) STEP.getOpaque() != n) Thread.onSpinWait();
    }

    public static void main(String[] args) throws Exception {
        Gate gate = new Gate(), other = new Gate();
        Thread writer = new Thread(() -> {
            a = 1;
            gate.pass();
            STEP.setOpaque(1);
            await(2);
            b = 1;
            gate.passIn();
            STEP.setOpaque(3);
            await(4);
            c = 1;
            gate.passMonitor();
            STEP.setOpaque(5);
            await(6);
            d = 1;
            gate.passLock();
            STEP.setOpaque(7);
        });
        writer.start();
        await(1);
        other.pass();
        a++;
        STEP.setOpaque(2);
        await(3);
        other.pass();
        b++;
        STEP.setOpaque(4);
        await(5);
        other.passMonitor();
        c++;
        STEP.setOpaque(6);
        await(7);
        other.passLock();
        d++;
        writer.join();
        System.out.println("ok");
    }
}
