import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Annotations of both kinds that reach class files; only their simple names count. */
@Retention(RetentionPolicy.RUNTIME) @interface GuardedBy { String[] value(); }
@interface Immutable { }
@interface LazyInit { }
@Retention(RetentionPolicy.RUNTIME) @interface ThreadConfined { String value() default ""; }

class Legacy {
    @interface GuardedBy { String value(); } // another of the same name, kept in the class file only
}

class Account {
    static final Object TABLE = new Object();
    final Object lock = new Object();
    final ReentrantLock juc = new ReentrantLock();
    final ReentrantReadWriteLock rw = new ReentrantReadWriteLock();

    @GuardedBy("this") int byThis;
    @GuardedBy("lock") int byLock;
    @Legacy.GuardedBy("this.lock") int byLegacy;
    @GuardedBy("juc") int byJuc;
    @GuardedBy("rw") int byRw;
    @GuardedBy("Account.TABLE") int byStatic;
    @GuardedBy("Account.class") static int byClass;
    @GuardedBy("itself") final int[] byItself = new int[1]; // the array, not the field
    @GuardedBy("secret()") int notUnderstood;

    Account() {
        byThis = 1; // being made: no lock needed
        byLock = 1;
    }

    synchronized void kept() {
        byThis++;
        synchronized (lock) { byLock++; byLegacy++; }
        juc.lock();
        try { byJuc++; } finally { juc.unlock(); }
        rw.readLock().lock();
        try { System.out.println(byRw); } finally { rw.readLock().unlock(); }
        rw.writeLock().lock();
        try { byRw++; } finally { rw.writeLock().unlock(); }
        synchronized (TABLE) { byStatic++; }
        synchronized (Account.class) { byClass++; }
        synchronized (byItself) { byItself[0]++; }
        notUnderstood++;
        helper();
        needsLockHeld();
    }

    private void helper() { byThis++; } // its only caller holds it

    @GuardedBy("this") void needsLockHeld() { byThis++; }

    void broken() {
        byThis++; // read and write
        synchronized (this) { byLock++; }
        synchronized (this) { byLegacy = 2; }
        System.out.println(byJuc);
        rw.readLock().lock();
        try { byRw = 3; } finally { rw.readLock().unlock(); }
        synchronized (lock) { byStatic = 4; }
        byClass = 5;
    }

    void callsWithout() {
        needsLockHeld();
    }

    class Inner {
        @GuardedBy("Account.this") int byOuter;

        void kept() {
            synchronized (Account.this) { byOuter++; }
        }

        void broken() {
            synchronized (this) { byOuter = 6; }
        }
    }
}

@Immutable class Point {
    int x;
    @LazyInit int hash;

    Point(int x) { this.x = x; }

    int cached() {
        if (hash == 0) hash = x * 31 + 1;
        return hash;
    }

    void move() { x++; }
}

class Ui {
    @ThreadConfined("UI") int clicks;
    int plain;
}

public class Promises {
    public static void main(String[] args) {
        Account a = new Account();
        Account.Inner inner = a.new Inner();
        Point p = new Point(1);
        Ui ui = new Ui();
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                a.kept();
                a.broken();
                a.callsWithout();
                inner.kept();
                inner.broken();
                p.cached();
                p.move();
                ui.clicks++;
                ui.plain++;
            }).start();
        }
    }
}
