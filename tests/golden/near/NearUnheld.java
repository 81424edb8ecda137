// Races that stand close to the proof that nothing holds a new object yet, whatever becomes of what it holds.  Each class
// has one: the object is known to another thread, in order, before the last write.
public class NearUnheld {
    public static void main(String[] args) throws Exception {
        PassedTwice.run(args);
        HeldBySuper.run(args);
        HeldByFunction.run(args);
        HeldByHelper.run(args);
        HeldByAnotherName.run(args);
        HeldByPart.run(args);
        GivenBack.run(args);
        HeldAsInterface.run(args);
        HeldInLoop.run(args);
    }
    static final Object LOCK = new Object();
    static Thread reader(Runnable r) {
        Thread t = new Thread(r);
        t.start();
        return t;
    }
    /** The same object stands for both parameters, behind one that is a value. */
    static class PassedTwice {
        int v;
        static PassedTwice shared;
        static void give(String s, PassedTwice a, PassedTwice b) {
            synchronized (LOCK) { shared = b; }
            a.v = s.length();
        }
        static void run(String[] a) {
            reader(() -> { PassedTwice c; synchronized (LOCK) { c = shared; } if (c != null) System.out.println(c.v); });
            PassedTwice box = new PassedTwice();
            give("x", box, box);
        }
    }
    static abstract class Base {
        static Base shared;
        Base() {
            synchronized (LOCK) { shared = this; }
        }
    }
    /** The constructor that this one calls first has made it known. */
    static class HeldBySuper extends Base {
        int v;
        HeldBySuper() {
            v = 1;
        }
        static void run(String[] a) {
            reader(() -> { Base c; synchronized (LOCK) { c = shared; } if (c != null) System.out.println(((HeldBySuper) c).v); });
            new HeldBySuper();
        }
    }
    /** A function object has it. */
    static class HeldByFunction {
        int v;
        static Runnable shared;
        HeldByFunction() {
            Runnable r = () -> System.out.println(v);
            synchronized (LOCK) { shared = r; }
            v = 1;
        }
        static void run(String[] a) {
            reader(() -> { Runnable c; synchronized (LOCK) { c = shared; } if (c != null) c.run(); });
            new HeldByFunction();
        }
    }
    /** A method two calls away keeps it. */
    static class HeldByHelper {
        int v;
        static HeldByHelper shared;
        static void keep(HeldByHelper h) {
            synchronized (LOCK) { shared = h; }
        }
        void add() {
            keep(this);
        }
        HeldByHelper() {
            add();
            v = 1;
        }
        static void run(String[] a) {
            reader(() -> { HeldByHelper c; synchronized (LOCK) { c = shared; } if (c != null) System.out.println(c.v); });
            new HeldByHelper();
        }
    }
    /** It was made known by another variable. */
    static class HeldByAnotherName {
        int v;
        static HeldByAnotherName shared;
        static void run(String[] a) {
            reader(() -> { HeldByAnotherName c; synchronized (LOCK) { c = shared; } if (c != null) System.out.println(c.v); });
            HeldByAnotherName x = new HeldByAnotherName(), y = a.length == 0 ? x : new HeldByAnotherName();
            synchronized (LOCK) { shared = y; }
            x.v = 1;
        }
    }
    /** A part that knows its whole is made known. */
    static class HeldByPart {
        int v;
        static Part shared;
        static class Part {
            final HeldByPart whole;
            Part(HeldByPart whole) {
                this.whole = whole;
            }
        }
        HeldByPart() {
            Part p = new Part(this);
            synchronized (LOCK) { shared = p; }
            v = 1;
        }
        static void run(String[] a) {
            reader(() -> { Part c; synchronized (LOCK) { c = shared; } if (c != null) System.out.println(c.whole.v); });
            new HeldByPart();
        }
    }
    /** What a method gives back is the object itself. */
    static class GivenBack {
        int v;
        static GivenBack shared;
        GivenBack self() {
            return this;
        }
        GivenBack() {
            GivenBack g = self();
            synchronized (LOCK) { shared = g; }
            v = 1;
        }
        static void run(String[] a) {
            reader(() -> { GivenBack c; synchronized (LOCK) { c = shared; } if (c != null) System.out.println(c.v); });
            new GivenBack();
        }
    }
    interface Named {}
    /** It was made known by a variable of an interface. */
    static class HeldAsInterface implements Named {
        int v;
        static Named shared;
        static Named named(HeldAsInterface h) {
            return h;
        }
        static void run(String[] a) {
            reader(() -> { Named c; synchronized (LOCK) { c = shared; } if (c != null) System.out.println(((HeldAsInterface) c).v); });
            HeldAsInterface x = new HeldAsInterface();
            Named n = named(x);
            synchronized (LOCK) { shared = n; }
            x.v = 1;
        }
    }
    /** The object of the round before, by a variable that has its value before the new one is made. */
    static class HeldInLoop {
        int v;
        static HeldInLoop shared;
        static void run(String[] a) {
            reader(() -> { HeldInLoop c; synchronized (LOCK) { c = shared; } if (c != null) System.out.println(c.v); });
            HeldInLoop old = null, x;
            do {
                if (old != null) synchronized (LOCK) { shared = old; }
                x = old == null ? new HeldInLoop() : old;
                x.v++;
                old = x;
            } while (x.v < 3);
        }
    }
}
