import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/** Locks: which ones guard, and which only look as if they did. */
class Locks {
    static class Plain { int f; void inc() { f++; } }
    static void plainFieldBad() {
        Plain p = new Plain();
        new Thread(() -> p.inc()).start();
        new Thread(() -> p.inc()).start();
    }

    static class SyncMethod { int f; synchronized void inc() { f++; } }
    static void synchronizedMethodOk() {
        SyncMethod p = new SyncMethod();
        new Thread(() -> p.inc()).start();
        new Thread(() -> p.inc()).start();
    }

    static class SyncOne { int f; synchronized void set(int v) { f = v; } int get() { return f; } }
    static void lockOnWriteOnlyBad() {
        SyncOne p = new SyncOne();
        new Thread(() -> p.set(1)).start();
        new Thread(() -> p.get()).start();
    }

    static class SyncBlock { int f; void inc() { synchronized (this) { f++; } } synchronized int get() { return f; } }
    static void blockAndMethodOnThisOk() {
        SyncBlock p = new SyncBlock();
        new Thread(() -> p.inc()).start();
        new Thread(() -> p.get()).start();
    }

    static class AfterBlock { int f; void inc() { synchronized (this) { f++; } f++; } }
    static void accessAfterBlockBad() {
        AfterBlock p = new AfterBlock();
        new Thread(() -> p.inc()).start();
        new Thread(() -> p.inc()).start();
    }

    static class FinalLock { final Object lock = new Object(); int f; void inc() { synchronized (lock) { f++; } } }
    static void finalLockFieldOk() {
        FinalLock p = new FinalLock();
        new Thread(() -> p.inc()).start();
        new Thread(() -> p.inc()).start();
    }

    static class ChangedLock {
        Object lock = new Object();
        int f;
        void inc() { synchronized (lock) { f++; } }
        void change() { lock = new Object(); }
    }
    static void lockFieldReassignedBad() {
        ChangedLock p = new ChangedLock();
        new Thread(() -> { p.change(); p.inc(); }).start();
        new Thread(() -> p.inc()).start();
    }

    static class TwoLocks {
        final Object a = new Object(), b = new Object();
        int f;
        void one() { synchronized (a) { f++; } }
        void two() { synchronized (b) { f++; } }
    }
    static void differentLocksBad() {
        TwoLocks p = new TwoLocks();
        new Thread(() -> p.one()).start();
        new Thread(() -> p.two()).start();
    }

    static class StaticLock { static final Object LOCK = new Object(); static int f; static void inc() { synchronized (LOCK) { f++; } } }
    static void staticFinalLockOk() {
        new Thread(() -> StaticLock.inc()).start();
        new Thread(() -> StaticLock.inc()).start();
    }

    static class ClassLock { static int f; static synchronized void inc() { f++; } static void dec() { synchronized (ClassLock.class) { f--; } } }
    static void staticSynchronizedAndClassConstantOk() {
        new Thread(() -> ClassLock.inc()).start();
        new Thread(() -> ClassLock.dec()).start();
    }

    static class Mixed { static int f; synchronized void inc() { f++; } }
    static void instanceLockForStaticFieldBad() {
        new Thread(() -> new Mixed().inc()).start();
        new Thread(() -> new Mixed().inc()).start();
    }

    static class Reentrant { final ReentrantLock lock = new ReentrantLock(); int f;
        void inc() { lock.lock(); try { f++; } finally { lock.unlock(); } } }
    static void reentrantLockTryFinallyOk() {
        Reentrant p = new Reentrant();
        new Thread(() -> p.inc()).start();
        new Thread(() -> p.inc()).start();
    }

    static class Unlocked { final ReentrantLock lock = new ReentrantLock(); int f;
        void inc() { lock.lock(); lock.unlock(); f++; } }
    static void accessAfterUnlockBad() {
        Unlocked p = new Unlocked();
        new Thread(() -> p.inc()).start();
        new Thread(() -> p.inc()).start();
    }

    static class Branch { final ReentrantLock lock = new ReentrantLock(); int f;
        void inc(boolean b) { if (b) lock.lock(); f++; if (b) lock.unlock(); } }
    static void lockOnOneBranchBad() {
        Branch p = new Branch();
        new Thread(() -> p.inc(true)).start();
        new Thread(() -> p.inc(false)).start();
    }

    static class TryLock { final ReentrantLock lock = new ReentrantLock(); int f;
        void inc() { if (lock.tryLock()) { try { f++; } finally { lock.unlock(); } } } }
    static void tryLockTrueBranchOk() {
        TryLock p = new TryLock();
        new Thread(() -> p.inc()).start();
        new Thread(() -> p.inc()).start();
    }

    static class TryIgnored { final ReentrantLock lock = new ReentrantLock(); int f;
        void inc() { lock.tryLock(); f++; } }
    static void tryLockResultIgnoredBad() {
        TryIgnored p = new TryIgnored();
        new Thread(() -> p.inc()).start();
        new Thread(() -> p.inc()).start();
    }

    static class ReadWrite { final ReentrantReadWriteLock rw = new ReentrantReadWriteLock(); int f;
        void set(int v) { rw.writeLock().lock(); try { f = v; } finally { rw.writeLock().unlock(); } }
        int get() { rw.readLock().lock(); try { return f; } finally { rw.readLock().unlock(); } } }
    static void readWriteLockOk() {
        ReadWrite p = new ReadWrite();
        new Thread(() -> p.set(1)).start();
        new Thread(() -> p.get()).start();
        new Thread(() -> p.get()).start();
    }

    static class WriteUnderRead { final ReentrantReadWriteLock rw = new ReentrantReadWriteLock(); int f;
        void set(int v) { rw.readLock().lock(); try { f = v; } finally { rw.readLock().unlock(); } } }
    static void writeUnderReadLockBad() {
        WriteUnderRead p = new WriteUnderRead();
        new Thread(() -> p.set(1)).start();
        new Thread(() -> p.set(2)).start();
    }

    static class Stamped { final StampedLock lock = new StampedLock(); int f;
        void set(int v) { long s = lock.writeLock(); try { f = v; } finally { lock.unlockWrite(s); } }
        int get() { long s = lock.readLock(); try { return f; } finally { lock.unlockRead(s); } } }
    static void stampedLockOk() {
        Stamped p = new Stamped();
        new Thread(() -> p.set(1)).start();
        new Thread(() -> p.get()).start();
    }

    static class Optimistic { final StampedLock lock = new StampedLock(); int f;
        void set(int v) { long s = lock.writeLock(); f = v; lock.unlockWrite(s); }
        int get() { lock.tryOptimisticRead(); return f; } }
    static void optimisticReadBad() {
        Optimistic p = new Optimistic();
        new Thread(() -> p.set(1)).start();
        new Thread(() -> p.get()).start();
    }

    static class Helper { int f; private void raw() { f++; } synchronized void inc() { raw(); } }
    static void lockHeldByCallerOk() {
        Helper p = new Helper();
        new Thread(() -> p.inc()).start();
        new Thread(() -> p.inc()).start();
    }

    static class Helper2 { int f; void raw() { f++; } synchronized void inc() { raw(); } }
    static void oneCallerWithoutLockBad() {
        Helper2 p = new Helper2();
        new Thread(() -> p.inc()).start();
        new Thread(() -> p.raw()).start();
    }

    static class Wrapped { final ReentrantLock l = new ReentrantLock(); int f;
        void enter() { l.lock(); } void leave() { l.unlock(); } void inc() { enter(); f++; leave(); } }
    static void lockInHelperMethodOk() {
        Wrapped p = new Wrapped();
        new Thread(() -> p.inc()).start();
        new Thread(() -> p.inc()).start();
    }

    static class LocalLock { int f; void inc() { Object lock = new Object(); synchronized (lock) { f++; } } }
    static void lockOnNewObjectBad() {
        LocalLock p = new LocalLock();
        new Thread(() -> p.inc()).start();
        new Thread(() -> p.inc()).start();
    }

    static class Getter { private final Object lock = new Object(); Object lock() { return lock; } int f;
        void inc() { synchronized (lock()) { f++; } } }
    static void lockFromGetterOk() {
        Getter p = new Getter();
        new Thread(() -> p.inc()).start();
        new Thread(() -> p.inc()).start();
    }

    static class Nested { final Object a = new Object(), b = new Object(); int f;
        void one() { synchronized (a) { synchronized (b) { f++; } } } void two() { synchronized (b) { f++; } } }
    static void nestedLocksOk() {
        Nested p = new Nested();
        new Thread(() -> p.one()).start();
        new Thread(() -> p.two()).start();
    }

    static class Waits { int f; synchronized void inc() { try { while (f < 0) wait(); } catch (InterruptedException e) { return; } f++; } }
    static void waitKeepsTheLockOk() {
        Waits p = new Waits();
        new Thread(() -> p.inc()).start();
        new Thread(() -> p.inc()).start();
    }

    public static void main(String[] args) {
        plainFieldBad(); synchronizedMethodOk(); lockOnWriteOnlyBad(); blockAndMethodOnThisOk(); accessAfterBlockBad();
        finalLockFieldOk(); lockFieldReassignedBad(); differentLocksBad(); staticFinalLockOk();
        staticSynchronizedAndClassConstantOk(); instanceLockForStaticFieldBad(); reentrantLockTryFinallyOk();
        accessAfterUnlockBad(); lockOnOneBranchBad(); tryLockTrueBranchOk(); tryLockResultIgnoredBad();
        readWriteLockOk(); writeUnderReadLockBad(); stampedLockOk(); optimisticReadBad(); lockHeldByCallerOk();
        oneCallerWithoutLockBad(); lockInHelperMethodOk(); lockOnNewObjectBad(); lockFromGetterOk(); nestedLocksOk();
        waitKeepsTheLockOk();
    }
}
