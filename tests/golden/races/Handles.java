import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** Flags that are set and seen through handles and updaters, or out of sight. */
public class Handles {
    static boolean released, opaque, shared, plainSet;
    static int releasedData, opaqueData, sharedData, plainData, updatedData, referenceData;
    volatile int updated;

    static final VarHandle OPAQUE, SHARED, PLAIN, FLAG;
    static final AtomicIntegerFieldUpdater<Handles> UPDATED =
            AtomicIntegerFieldUpdater.newUpdater(Handles.class, "updated");

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            FLAG = lookup.findStaticVarHandle(Handles.class, "released", boolean.class);
            OPAQUE = lookup.findStaticVarHandle(Handles.class, "opaque", boolean.class);
            SHARED = lookup.findStaticVarHandle(Handles.class, "shared", boolean.class);
            PLAIN = lookup.findStaticVarHandle(Handles.class, "plainSet", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static boolean isReleased() {
        return (boolean) FLAG.getAcquire();
    }

    static void releaseOk() {
        Thread t1 = new Thread(() -> {
            releasedData = 1;
            FLAG.setRelease(true);
        });
        Thread t2 = new Thread(() -> {
            while (!isReleased()) Thread.yield();
            releasedData++;
        });
        t1.start();
        t2.start();
    }

    /** Opaque writes are seen without any order. */
    static void opaqueBad() {
        Thread t1 = new Thread(() -> {
            opaqueData = 1;
            OPAQUE.setOpaque(true);
        });
        Thread t2 = new Thread(() -> {
            while (!(boolean) OPAQUE.getAcquire()) Thread.yield();
            opaqueData++;
        });
        t1.start();
        t2.start();
    }

    static void set(VarHandle handle) {
        handle.setRelease(true);
    }

    /** Somebody else sets it through the handle that was passed on. */
    static void passedBad() {
        Thread t1 = new Thread(() -> {
            sharedData = 1;
            SHARED.setRelease(true);
        });
        Thread t2 = new Thread(() -> {
            while (!(boolean) SHARED.getAcquire()) Thread.yield();
            sharedData++;
        });
        Thread t3 = new Thread(() -> set(SHARED));
        t1.start();
        t2.start();
        t3.start();
    }

    /** The field itself is written without order. */
    static void plainBad() {
        Thread t1 = new Thread(() -> {
            plainData = 1;
            plainSet = true;
        });
        Thread t2 = new Thread(() -> {
            while (!(boolean) PLAIN.getAcquire()) Thread.yield();
            plainData++;
        });
        t1.start();
        t2.start();
    }

    static void updaterOk(Handles o) {
        Thread t1 = new Thread(() -> {
            updatedData = 1;
            UPDATED.compareAndSet(o, 0, 1);
        });
        Thread t2 = new Thread(() -> {
            while (UPDATED.get(o) == 0) Thread.yield();
            updatedData++;
        });
        t1.start();
        t2.start();
    }

    /** The third thread sets the flag by a method reference. */
    static void referenceBad() {
        AtomicBoolean flag = new AtomicBoolean();
        Thread t1 = new Thread(() -> {
            referenceData = 1;
            flag.set(true);
        });
        Thread t2 = new Thread(() -> {
            while (!flag.get()) Thread.yield();
            referenceData++;
        });
        Thread t3 = new Thread(() -> Optional.of(true).ifPresent(flag::set));
        t1.start();
        t2.start();
        t3.start();
    }

    public static void main(String[] args) {
        releaseOk();
        opaqueBad();
        passedBad();
        plainBad();
        updaterOk(new Handles());
        referenceBad();
    }
}
