import java.util.ArrayList;
import java.util.List;

/** Objects that belong to one thread: fresh ones, confined ones, handed-over ones; and those that leak. */
class Ownership {
    static class Fresh { int f; }
    static void freshInEachThreadOk() {
        new Thread(() -> { Fresh x = new Fresh(); x.f = 1; x.f++; }).start();
        new Thread(() -> { Fresh x = new Fresh(); x.f = 2; x.f++; }).start();
    }

    static class Before { int f; }
    static void writeBeforeStartOk() {
        Before x = new Before();
        x.f = 1;
        new Thread(() -> System.out.println(x.f)).start();
    }

    static class After { int f; }
    static void writeAfterStartBad() {
        After x = new After();
        new Thread(() -> System.out.println(x.f)).start();
        x.f = 1;
    }

    static class Passed { int f; Passed next; }
    static volatile Passed lastPassed;
    static class Passer {
        int calls;
        Passed same(Passed x) { return x; }
        Passed either(Passed x, Passed y) { return ++calls > 3 ? x : y; }
        Passed sameOrNew(Passed x) { return same(x) == null ? new Passed() : x; }
        synchronized Passed logged(Passed x) { System.out.println(this); return x; }
    }
    static void passedThroughMethodOk() {
        Passer p = new Passer();
        for (int t = 0; t < 2; t++) {
            new Thread(() -> {
                Passed x = new Passed(), y = p.same(x);
                y.f = 1;
                p.logged(p.sameOrNew(x)).f++;
                synchronized (p) { y = p.either(y, new Passed()); }
                y.f++;
                lastPassed = y;
            }).start();
        }
    }

    static class PassedOn { int f; }
    static class Keeper {
        volatile PassedOn kept;
        PassedOn keep(PassedOn x) { kept = x; return x; }
    }
    static void keptAndPassedBad() {
        Keeper k = new Keeper();
        for (int t = 0; t < 2; t++) {
            new Thread(() -> { k.keep(new PassedOn()).f++; if (k.kept != null) k.kept.f++; }).start();
        }
    }

    static class Joined { int f; }
    static void readAfterJoinOk() throws InterruptedException {
        Joined x = new Joined();
        Thread t = new Thread(() -> x.f = 1);
        t.start();
        t.join();
        System.out.println(x.f);
    }

    static class JoinedLate { int f; }
    static void readAfterTimedJoinBad() throws InterruptedException {
        JoinedLate x = new JoinedLate();
        Thread t = new Thread(() -> x.f = 1);
        t.start();
        t.join(10);
        System.out.println(x.f);
    }

    static class SeenDead { int f; }
    static void readAfterTerminatedOk() {
        SeenDead x = new SeenDead();
        Thread t = new Thread(() -> x.f = 1);
        t.start();
        while (t.getState() != Thread.State.TERMINATED) Thread.yield();
        System.out.println(x.f);
    }

    static class JoinOther { int f; }
    static void joinOfAnotherThreadBad() throws InterruptedException {
        JoinOther x = new JoinOther();
        Thread t = new Thread(() -> x.f = 1), u = new Thread(() -> { });
        t.start();
        u.start();
        u.join();
        System.out.println(x.f);
    }

    static class Session {
        static volatile Session latest;
        Session register() { latest = this; return this; }
    }
    static class Order {
        static Order last;
        Session session;
        Session registered;
        Order(Session s) { session = s; registered = s.register(); }
    }
    static void holdsWhatIsKnownOk() {
        Session s = new Session();
        for (int i = 0; i < 2; i++) new Thread(() -> {
            Order o = new Order(s), seen;
            synchronized (s) { seen = Order.last; Order.last = o; }
            if (seen != null && seen.session != seen.registered) throw new AssertionError();
        }).start();
    }

    static class ByHelper { int f; }
    static void joinEach(Thread[] all) throws InterruptedException {
        for (Thread t : all) t.join();
    }
    static void joinedByHelperOk() throws InterruptedException {
        ByHelper x = new ByHelper();
        Thread[] all = new Thread[3];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Thread(() -> { synchronized (x) { x.f++; } });
            all[i].start();
        }
        joinEach(all);
        x.f++;
    }

    static class Leak { int f; static Leak last; }
    static void leakToStaticBad() {
        new Thread(() -> { Leak x = new Leak(); Leak.last = x; x.f = 1; }).start();
        new Thread(() -> { Leak x = Leak.last; if (x != null) x.f = 2; }).start();
    }

    static class Ctor { int f; Ctor(int v) { f = v; f++; } int get() { return f; } }
    static void constructorWritesOk() {
        Ctor x = new Ctor(3);
        new Thread(() -> x.get()).start();
        new Thread(() -> x.get()).start();
    }

    static class LeakyCtor {
        static LeakyCtor last;
        int f;
        LeakyCtor() { last = this; f = 1; }
    }
    static void constructorLeaksThisBad() {
        new Thread(() -> new LeakyCtor()).start();
        new Thread(() -> { LeakyCtor x = LeakyCtor.last; if (x != null) System.out.println(x.f); }).start();
    }

    static class Super { int f; Super() { init(); } void init() { f = 1; } }
    static class Sub extends Super { int g; @Override void init() { g = 2; } }
    static void constructorCallsOverrideOk() {
        Sub x = new Sub();
        new Thread(() -> System.out.println(x.g)).start();
    }

    static class Built { int a, b; Built a(int v) { a = v; return this; } Built b(int v) { b = v; return this; } }
    static void builderInOneThreadOk() {
        new Thread(() -> System.out.println(new Built().a(1).b(2).a)).start();
        new Thread(() -> System.out.println(new Built().a(3).b(4).b)).start();
    }

    static class SharedBuilt { int a; SharedBuilt a(int v) { a = v; return this; } }
    static void builderSharedBad() {
        SharedBuilt x = new SharedBuilt();
        new Thread(() -> x.a(1)).start();
        new Thread(() -> x.a(2)).start();
    }

    static class Made { int f; static Made make(int v) { Made m = new Made(); m.f = v; return m; } }
    static void factoryOk() {
        new Thread(() -> { Made m = Made.make(1); m.f++; }).start();
        new Thread(() -> { Made m = Made.make(2); m.f++; }).start();
    }

    static class Cached { int f; static Cached cached = new Cached(); static Cached make() { return cached; } }
    static void factoryOfSharedBad() {
        new Thread(() -> { Cached m = Cached.make(); m.f++; }).start();
        new Thread(() -> { Cached m = Cached.make(); m.f++; }).start();
    }

    static class Elem { int f; }
    static void elementsOfLocalListOk() {
        new Thread(() -> { List<Elem> l = new ArrayList<>(); Elem e = new Elem(); l.add(e); e.f = 1; }).start();
        new Thread(() -> { List<Elem> l = new ArrayList<>(); Elem e = new Elem(); l.add(e); e.f = 2; }).start();
    }

    static class Node { int f; Node next; }
    static void localStructureOk() {
        new Thread(() -> { Node n = new Node(); n.next = new Node(); n.next.f = 1; }).start();
        new Thread(() -> { Node n = new Node(); n.next = new Node(); n.next.f = 2; }).start();
    }

    static class Tail { int f; Tail next; }
    static void innerPartLeaksBad() {
        Tail shared = new Tail();
        new Thread(() -> { Tail n = new Tail(); n.next = shared; n.next.f = 1; }).start();
        new Thread(() -> { Tail n = new Tail(); n.next = shared; n.next.f = 2; }).start();
    }

    static class Worker extends Thread { int mine; @Override public void run() { mine++; more(); } void more() { mine++; } }
    static void fieldOfOwnThreadOk() {
        for (int i = 0; i < 4; i++) new Worker().start();
    }

    static class Watched extends Thread { int mine; @Override public void run() { mine++; } }
    static void fieldOfThreadReadFromOutsideBad() {
        Watched w = new Watched();
        w.start();
        System.out.println(w.mine);
    }

    static class LoopElem { int f; }
    static void freshInLoopBeforePublishOk() {
        java.util.concurrent.ConcurrentLinkedQueue<LoopElem> q = new java.util.concurrent.ConcurrentLinkedQueue<>();
        new Thread(() -> { for (int i = 0; i < 9; i++) { LoopElem e = new LoopElem(); e.f = i; q.add(e); } }).start();
        new Thread(() -> { LoopElem e = q.poll(); if (e != null) System.out.println(e.f); }).start();
    }

    static class LateElem { int f; }
    static void writeAfterPublishBad() {
        java.util.concurrent.ConcurrentLinkedQueue<LateElem> q = new java.util.concurrent.ConcurrentLinkedQueue<>();
        new Thread(() -> { LateElem e = new LateElem(); q.add(e); e.f = 1; }).start();
        new Thread(() -> { LateElem e = q.poll(); if (e != null) System.out.println(e.f); }).start();
    }

    static class Racy { int f; static Racy last; Racy(int v) { f = v; } }
    static void racyPublicationBad() {
        new Thread(() -> Racy.last = new Racy(1)).start();
        new Thread(() -> { Racy x = Racy.last; if (x != null) System.out.println(x.f); }).start();
    }

    static class Safe { int f; static volatile Safe last; Safe(int v) { f = v; } }
    static void volatilePublicationOk() {
        new Thread(() -> Safe.last = new Safe(1)).start();
        new Thread(() -> { Safe x = Safe.last; if (x != null) System.out.println(x.f); }).start();
    }

    static class LoopJoin { int f; }
    static void startAndJoinInLoopOk() throws InterruptedException {
        LoopJoin x = new LoopJoin();
        for (int i = 0; i < 5; i++) {
            Thread t = new Thread(() -> x.f++);
            t.start();
            t.join();
        }
        System.out.println(x.f);
    }

    static class LoopNoJoin { int f; }
    static void startInLoopBad() {
        LoopNoJoin x = new LoopNoJoin();
        for (int i = 0; i < 5; i++) new Thread(() -> x.f++).start();
    }

    static class Many { int f; }
    static void joinOfAllInArrayOk() throws InterruptedException {
        Many x = new Many();
        Thread[] ts = new Thread[4];
        for (int i = 0; i < ts.length; i++) {
            ts[i] = new Thread(() -> { synchronized (x) { x.f++; } });
            ts[i].start();
        }
        for (Thread t : ts) t.join();
        System.out.println(x.f);
    }

    static class Interrupted { int f; }
    static void interruptedJoinOfAllBad() {
        Interrupted x = new Interrupted();
        Thread[] ts = new Thread[4];
        for (int i = 0; i < ts.length; i++) {
            ts[i] = new Thread(() -> { synchronized (x) { x.f++; } });
            ts[i].start();
        }
        for (Thread t : ts) {
            try { t.join(); } catch (InterruptedException e) { System.out.println("go on"); }
        }
        System.out.println(x.f);
    }

    static class Some { int f; }
    static void joinOfSomeInArrayBad() throws InterruptedException {
        Some x = new Some();
        Thread[] ts = new Thread[4];
        for (int i = 0; i < ts.length; i++) {
            ts[i] = new Thread(() -> { synchronized (x) { x.f++; } });
            ts[i].start();
        }
        for (int i = 0; i < 2; i++) ts[i].join();
        System.out.println(x.f);
    }

    static class Lost { int f; }
    static void arraySlotOverwrittenBad() throws InterruptedException {
        Lost x = new Lost();
        Thread[] ts = new Thread[1];
        for (int i = 0; i < 4; i++) {
            ts[0] = new Thread(() -> { synchronized (x) { x.f++; } });
            ts[0].start();
        }
        for (Thread t : ts) t.join();
        System.out.println(x.f);
    }

    public static void main(String[] args) throws Exception {
        freshInEachThreadOk(); passedThroughMethodOk(); keptAndPassedBad(); writeBeforeStartOk(); writeAfterStartBad(); readAfterJoinOk(); readAfterTimedJoinBad();
        readAfterTerminatedOk(); joinOfAnotherThreadBad(); holdsWhatIsKnownOk(); joinedByHelperOk(); leakToStaticBad();
        constructorWritesOk(); constructorLeaksThisBad();
        constructorCallsOverrideOk(); builderInOneThreadOk(); builderSharedBad(); factoryOk(); factoryOfSharedBad();
        elementsOfLocalListOk(); localStructureOk(); innerPartLeaksBad(); fieldOfOwnThreadOk();
        fieldOfThreadReadFromOutsideBad(); freshInLoopBeforePublishOk(); writeAfterPublishBad(); racyPublicationBad();
        volatilePublicationOk(); startAndJoinInLoopOk(); startInLoopBad();
        joinOfAllInArrayOk(); interruptedJoinOfAllBad(); joinOfSomeInArrayBad(); arraySlotOverwrittenBad();
    }
}
