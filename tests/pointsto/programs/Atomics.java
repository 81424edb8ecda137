import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/** Fields reached by Unsafe, VarHandle and updaters. */
public class Atomics {
    static class A {
        void use() {
            Mark.ran();
        }
    }

    static class Ref extends A {
        @Override
        void use() {
            Mark.ran();
        }
    }

    static class Arr extends A {
        @Override
        void use() {
            Mark.ran();
        }
    }

    static class Upd extends A {
        @Override
        void use() {
            Mark.ran();
        }
    }

    static class Var extends A {
        @Override
        void use() {
            Mark.ran();
        }
    }

    static class Mapped extends A {
        @Override
        void use() {
            Mark.ran();
        }
    }

    static class Queued extends A {
        @Override
        void use() {
            Mark.ran();
        }
    }

    static class Linked extends A {
        @Override
        void use() {
            Mark.ran();
        }
    }

    static class Computed extends A {
        @Override
        void use() {
            Mark.ran();
        }
    }

    volatile A updated;
    volatile A handled;
    static final AtomicReferenceFieldUpdater<Atomics, A> UPDATER =
        AtomicReferenceFieldUpdater.newUpdater(Atomics.class, A.class, "updated");
    static final VarHandle HANDLE;

    static {
        try {
            HANDLE = MethodHandles.lookup().findVarHandle(Atomics.class, "handled", A.class);
        } catch (ReflectiveOperationException e) {
            throw new Error(e);
        }
    }

    public static void main(String[] args) throws Exception {
        AtomicReference<A> ref = new AtomicReference<>();
        ref.compareAndSet(null, new Ref());
        ref.getAndUpdate(x -> x).use();
        AtomicReferenceArray<A> array = new AtomicReferenceArray<>(1);
        array.set(0, new Arr());
        array.get(0).use();
        Atomics self = new Atomics();
        UPDATER.compareAndSet(self, null, new Upd());
        UPDATER.get(self).use();
        HANDLE.compareAndSet(self, null, new Var());
        ((A) HANDLE.getVolatile(self)).use();
        Map<String, A> map = new ConcurrentHashMap<>();
        map.put("k", new Mapped());
        for (A a : map.values()) a.use();
        map.computeIfAbsent("c", k -> new Computed()).use();
        ConcurrentLinkedQueue<A> queue = new ConcurrentLinkedQueue<>();
        queue.add(new Queued());
        queue.poll().use();
        LinkedBlockingQueue<A> blocking = new LinkedBlockingQueue<>();
        blocking.put(new Linked());
        blocking.take().use();
    }
}
