import java.lang.ref.Cleaner;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;

/** What the garbage collector calls back. */
public class Finals {
    static class Old {
        @Override
        @SuppressWarnings("removal")
        protected void finalize() {
            Mark.ran();
        }
    }

    static class Idle {
        @Override
        @SuppressWarnings("removal")
        protected void finalize() {
        }
    }

    static class A {
        void use() {
            Mark.ran();
        }
    }

    static class Cleanup implements Runnable {
        public void run() {
            Mark.ran();
        }
    }

    static class Ghost extends PhantomReference<Object> {
        Ghost(Object o, ReferenceQueue<Object> q) {
            super(o, q);
        }

        void queued() {
            Mark.ran();
        }
    }

    static volatile Object sink;

    public static void main(String[] args) throws Exception {
        sink = new Idle();
        sink = new Old();
        Cleaner cleaner = Cleaner.create();
        cleaner.register(new Object(), new Cleanup());
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        Ghost ghost = new Ghost(new Object(), queue);
        new WeakReference<>(new A()).get();
        A strong = new A();
        new SoftReference<>(strong).get().use();
        sink = null;
        for (int i = 0; i < 50; i++) {
            System.gc();
            Ghost got = (Ghost) queue.remove(20);
            if (got != null) {
                got.queued();
                break;
            }
        }
        Thread.sleep(100);
        System.out.println(ghost == null);
    }
}
