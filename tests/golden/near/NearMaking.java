// Races that stand close to the proof that constructors do what they do to `this` in one thread.
public class NearMaking {
    public static void main(String[] args) throws Exception {
        HelperOfOthers.run(args);
        OtherObject.run(args);
        StartedThread.run(args);
        ByFunction.run(args);
        AfterMaking.run(args);
    }
    static Thread reader(Runnable r) {
        Thread t = new Thread(r);
        t.start();
        return t;
    }
    /** The constructor's helper is called from elsewhere as well. */
    static class HelperOfOthers {
        int v;
        static volatile HelperOfOthers shared;
        HelperOfOthers() {
            shared = this;
            set();
        }
        void set() {
            v++;
        }
        static void run(String[] a) {
            reader(() -> { HelperOfOthers h = shared; if (h != null) h.set(); });
            new HelperOfOthers();
        }
    }
    /** A constructor writes a field of an object that is not its own. */
    static class OtherObject {
        int v;
        static volatile OtherObject shared;
        OtherObject(OtherObject o) {
            shared = this;
            v = 1;
            if (o != null) o.v = 2;
        }
        static void run(String[] a) {
            reader(() -> new OtherObject(shared));
            new OtherObject(null);
        }
    }
    /** A thread that the constructor starts writes what the constructor writes. */
    static class StartedThread {
        int v;
        StartedThread() {
            reader(this::set);
            v = 1;
        }
        private void set() {
            v = 2;
        }
        static void run(String[] a) {
            new StartedThread();
        }
    }
    /** A function object calls the helper later, in another thread. */
    static class ByFunction {
        int v;
        static volatile Runnable shared;
        ByFunction() {
            shared = () -> set();
            set();
        }
        private void set() {
            v++;
        }
        static void run(String[] a) {
            reader(() -> { Runnable r = shared; if (r != null) r.run(); });
            new ByFunction();
        }
    }
    /** A reader that is no constructor. */
    static class AfterMaking {
        int v;
        static volatile AfterMaking shared;
        AfterMaking() {
            shared = this;
            v = 1;
        }
        static void run(String[] a) {
            reader(() -> { AfterMaking m = shared; if (m != null) System.out.println(m.v); });
            new AfterMaking();
        }
    }
}
