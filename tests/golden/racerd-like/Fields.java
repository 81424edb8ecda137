import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Volatile, final and atomic fields, arrays, inheritance, inner classes, class initialisers. */
class Fields {
    static class Vol { volatile int f; }
    static void volatileFieldOk() {
        Vol x = new Vol();
        new Thread(() -> x.f = 1).start();
        new Thread(() -> x.f = 2).start();
    }

    static class Fin { final int f; Fin(int v) { f = v; } }
    static void finalFieldOk() {
        Fin x = new Fin(1);
        new Thread(() -> System.out.println(x.f)).start();
        new Thread(() -> System.out.println(x.f)).start();
    }

    static class RacyFin { final int f; static RacyFin last; RacyFin(int v) { f = v; last = this; } }
    static void finalFieldAfterOwnWriteOk() {
        new Thread(() -> System.out.println(new RacyFin(1).f)).start();
    }

    static class LeakFin { final int f; static volatile LeakFin last; LeakFin(int v) { last = this; f = v; } }
    static void finalFieldLeakedFromConstructorBad() {
        new Thread(() -> new LeakFin(1)).start();
        new Thread(() -> { LeakFin x = LeakFin.last; if (x != null) System.out.println(x.f); }).start();
    }

    static class Atom { final AtomicInteger f = new AtomicInteger(); }
    static void atomicOk() {
        Atom x = new Atom();
        new Thread(() -> x.f.incrementAndGet()).start();
        new Thread(() -> x.f.incrementAndGet()).start();
    }

    static class InAtom { int f; }
    static void objectInAtomicReferenceBad() {
        AtomicReference<InAtom> ref = new AtomicReference<>(new InAtom());
        new Thread(() -> ref.get().f++).start();
        new Thread(() -> ref.get().f++).start();
    }

    static class Stat { static int f; }
    static void staticFieldBad() {
        new Thread(() -> Stat.f++).start();
        new Thread(() -> Stat.f++).start();
    }

    static class OneThread { static int f; }
    static void staticFieldInOneThreadOk() {
        OneThread.f = 1;
        new Thread(() -> OneThread.f++).start();
    }

    static class Init { static int f = 5; static int[] a = {1, 2}; }
    static void classInitialiserOk() {
        new Thread(() -> System.out.println(Init.f + Init.a[0])).start();
        new Thread(() -> System.out.println(Init.f + Init.a[1])).start();
    }

    static class Arr { final int[] a = new int[4]; }
    static void arrayElementBad() {
        Arr x = new Arr();
        new Thread(() -> x.a[0] = 1).start();
        new Thread(() -> x.a[0] = 2).start();
    }

    static class GuardedArr { private final int[] a = new int[4]; synchronized void inc(int i) { a[i]++; } }
    static void arrayGuardedByItsHolderOk() {
        GuardedArr x = new GuardedArr();
        new Thread(() -> x.inc(0)).start();
        new Thread(() -> x.inc(0)).start();
    }

    static class SharedArr { private final int[] a; SharedArr(int[] a) { this.a = a; } synchronized void inc(int i) { a[i]++; } }
    static void arrayOfTwoHoldersBad() {
        int[] a = new int[4];
        SharedArr x = new SharedArr(a), y = new SharedArr(a);
        new Thread(() -> x.inc(0)).start();
        new Thread(() -> y.inc(0)).start();
    }

    static void copyOfArrayBad() {
        int[] from = new int[4], to = new int[4];
        new Thread(() -> System.arraycopy(from, 0, to, 0, 4)).start();
        new Thread(() -> to[1] = 3).start();
    }

    static void ownArrayInEachThreadOk() {
        new Thread(() -> { int[] a = new int[3]; a[0] = 1; }).start();
        new Thread(() -> { int[] a = new int[3]; a[0] = 2; }).start();
    }

    static void readOnlyArrayOk() {
        int[] a = {1, 2, 3};
        new Thread(() -> System.out.println(a[0])).start();
        new Thread(() -> System.out.println(a[0])).start();
    }

    static class Base { int f; void inc() { f++; } }
    static class Derived extends Base { @Override synchronized void inc() { super.inc(); } }
    static void overrideAddsLockOk() {
        Base x = new Derived();
        new Thread(() -> x.inc()).start();
        new Thread(() -> x.inc()).start();
    }

    static class Base2 { int f; synchronized void inc() { f++; } }
    static class Derived2 extends Base2 { @Override void inc() { f++; } }
    static void overrideDropsLockBad() {
        Base2 x = new Derived2();
        new Thread(() -> x.inc()).start();
        new Thread(() -> x.inc()).start();
    }

    static class Outer { int f; class Inner { void inc() { synchronized (Outer.this) { f++; } } } Inner inner() { return new Inner(); } }
    static void innerClassLocksOuterOk() {
        Outer o = new Outer();
        new Thread(() -> o.inner().inc()).start();
        new Thread(() -> o.inner().inc()).start();
    }

    static class Outer2 { int f; class Inner { synchronized void inc() { f++; } } Inner inner() { return new Inner(); } }
    static void innerClassLocksItselfBad() {
        Outer2 o = new Outer2();
        new Thread(() -> o.inner().inc()).start();
        new Thread(() -> o.inner().inc()).start();
    }

    static void capturedArrayBad() {
        int[] counter = {0};
        Runnable r = () -> counter[0]++;
        new Thread(r).start();
        new Thread(r).start();
    }

    static class LongField { long f; }
    static void longFieldBad() {
        LongField x = new LongField();
        new Thread(() -> x.f = 1L).start();
        new Thread(() -> System.out.println(x.f)).start();
    }

    record Point(int x, int y) { }
    static void recordOk() {
        Point p = new Point(1, 2);
        new Thread(() -> System.out.println(p.x())).start();
        new Thread(() -> System.out.println(p.y())).start();
    }

    enum Mode { A, B; int uses; }
    static void enumFieldBad() {
        new Thread(() -> Mode.A.uses++).start();
        new Thread(() -> Mode.A.uses++).start();
    }

    static class Lazy { static Lazy it; int f; static Lazy get() { if (it == null) it = new Lazy(); return it; } }
    static void lazyInitBad() {
        new Thread(() -> Lazy.get()).start();
        new Thread(() -> Lazy.get()).start();
    }

    static class LazyLocked { static LazyLocked it; static synchronized LazyLocked get() { if (it == null) it = new LazyLocked(); return it; } }
    static void lazyInitLockedOk() {
        new Thread(() -> LazyLocked.get()).start();
        new Thread(() -> LazyLocked.get()).start();
    }

    static class Holder { static class Inside { static final Holder IT = new Holder(); } final int f = 3; }
    static void holderIdiomOk() {
        new Thread(() -> System.out.println(Holder.Inside.IT.f)).start();
        new Thread(() -> System.out.println(Holder.Inside.IT.f)).start();
    }

    static class DoubleChecked { static volatile DoubleChecked it; int f = 3;
        static DoubleChecked get() { if (it == null) synchronized (DoubleChecked.class) { if (it == null) it = new DoubleChecked(); } return it; } }
    static void doubleCheckedVolatileOk() {
        new Thread(() -> System.out.println(DoubleChecked.get().f)).start();
        new Thread(() -> System.out.println(DoubleChecked.get().f)).start();
    }

    public static void main(String[] args) {
        volatileFieldOk(); finalFieldOk(); finalFieldAfterOwnWriteOk(); finalFieldLeakedFromConstructorBad(); atomicOk();
        objectInAtomicReferenceBad(); staticFieldBad(); staticFieldInOneThreadOk(); classInitialiserOk();
        arrayElementBad(); arrayGuardedByItsHolderOk(); arrayOfTwoHoldersBad(); copyOfArrayBad();
        ownArrayInEachThreadOk(); readOnlyArrayOk(); overrideAddsLockOk(); overrideDropsLockBad();
        innerClassLocksOuterOk(); innerClassLocksItselfBad(); capturedArrayBad(); longFieldBad(); recordOk();
        enumFieldBad(); lazyInitBad(); lazyInitLockedOk(); holderIdiomOk(); doubleCheckedVolatileOk();
    }
}
