import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Functions that run under the locks of the method which they are given to. */
public class Around {
    abstract static class Account {
        final int id;
        int plain, nested, element, others, both, kept, oneOpen, given, handed, after, index;
        int moved, wrongOrder, released, reused;
        Runnable later;

        Account(int id) {
            this.id = id;
        }

        abstract void locked(Runnable action);

        abstract void half(Runnable action);

        void keep(Runnable action) {
            synchronized (this) {
                later = action;
            }
        }

        void hand(Runnable action) {
            synchronized (this) {
                new Thread(action).start();
            }
        }

        void after(Runnable action) {
            synchronized (this) {
                action.run();
            }
            action.run();
        }

        void two(Runnable first, Runnable second) {
            synchronized (this) {
                first.run();
            }
            synchronized (Around.class) {
                second.run();
            }
        }
    }

    static final class MonitorAccount extends Account {
        MonitorAccount(int id) {
            super(id);
        }

        @Override
        synchronized void locked(Runnable action) {
            action.run();
        }

        @Override
        synchronized void half(Runnable action) {
            action.run();
        }
    }

    static final class LockAccount extends Account {
        private final Lock lock = new ReentrantLock();

        LockAccount(int id) {
            super(id);
        }

        @Override
        void locked(Runnable action) {
            lock.lock();
            try {
                action.run();
            } finally {
                lock.unlock();
            }
        }

        /** Takes no lock, which the other one does. */
        @Override
        void half(Runnable action) {
            action.run();
        }
    }

    static class Base {
        int overridden;

        void locked(Runnable action) {
            synchronized (this) {
                action.run();
            }
        }
    }

    static class Derived extends Base {
        private final Object own = new Object();

        @Override
        void locked(Runnable action) {
            synchronized (own) {
                action.run();
            }
        }

        /** Not the method that the class of the receiver says. */
        void superBad() {
            super.locked(() -> overridden++);
            locked(() -> overridden--);
        }
    }

    static class Counter {
        final ReentrantLock lock = new ReentrantLock();
        final ReentrantReadWriteLock rw = new ReentrantReadWriteLock();
        int monitor, helper, makers, reader, dropped;

        synchronized void locked(Runnable action) {
            action.run();
        }

        synchronized int direct() {
            return monitor++;
        }

        void reading(Runnable action) {
            rw.readLock().lock();
            try {
                action.run();
            } finally {
                rw.readLock().unlock();
            }
        }

        /** Gives back what the caller holds before it calls. */
        void dropping(Runnable action) {
            lock.unlock();
            action.run();
            lock.lock();
        }
    }

    static void with(Lock lock, Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }

    static void run(Runnable action) {
        action.run();
    }

    static void oneLockOk(Counter c) {
        c.locked(() -> c.monitor++);
        c.direct();
        with(c.lock, () -> c.helper++);
        c.lock.lock();
        c.helper--;
        c.lock.unlock();
        synchronized (c) {
            run(() -> c.makers++);
        }
    }

    static void plainOk(Account a) {
        a.locked(() -> a.plain++);
    }

    static void nestedOk(Account a, Account b) {
        Account first = a.id < b.id ? a : b, second = first == a ? b : a;
        first.locked(() -> second.locked(() -> {
            a.nested--;
            b.nested++;
        }));
    }

    static void elementOk(Account[] all, int i) {
        all[i].locked(() -> all[i].element++);
    }

    static void readerBad(Counter c) {
        c.reading(() -> c.reader++);
    }

    static void droppedBad(Counter c) {
        c.lock.lock();
        c.dropping(() -> c.dropped++);
        c.lock.unlock();
    }

    static void othersBad(Account a, Account b) {
        a.locked(() -> b.others++);
    }

    static void oneOpenBad(Account a) {
        a.half(() -> a.oneOpen++);
    }

    static void keptBad(Account a) {
        a.keep(() -> a.kept++);
        a.later.run();
    }

    static void handedBad(Account a) {
        a.hand(() -> a.handed++);
    }

    static void afterBad(Account a) {
        a.after(() -> a.after++);
    }

    static void givenTwiceBad(Account a) {
        Runnable r = () -> a.given++;
        a.locked(r);
        r.run();
    }

    /** The first function runs under one lock, the second under another. */
    static void bothBad(Account a) {
        a.two(() -> a.both++, () -> a.both--);
    }

    static void indexBad(Account[] all, int i, int k) {
        all[i].locked(() -> all[k].index++);
    }

    /** The element that is read again may be another one. */
    static void movedBad(Account[] moving, int i) {
        moving[i].locked(() -> moving[i].moved++);
        Account a = moving[0];
        moving[0] = moving[1];
        moving[1] = a;
    }

    static void wrongOrderBad(Account a, Account b) {
        Account first = a.id < b.id ? a : b, second = first == a ? a : b;
        first.locked(() -> second.locked(() -> {
            a.wrongOrder--;
            b.wrongOrder++;
        }));
    }

    /** The function of one round is run in the next. */
    static void reusedBad(Account[] all) {
        Runnable last = () -> { };
        for (int i = 0; i < 2; i++) {
            Account a = all[i];
            a.locked(last);
            last = () -> a.reused++;
        }
    }

    final Account[] accounts = new Account[8];
    final Account[] moving = new Account[2];
    final Derived derived = new Derived();

    Around() {
        for (int i = 0; i < 8; i++) accounts[i] = i % 2 == 0 ? new MonitorAccount(i) : new LockAccount(i);
        for (int i = 0; i < 2; i++) moving[i] = accounts[i];
    }

    void all(Counter c, int i, int k) {
        Account a = accounts[i], b = accounts[k];
        oneLockOk(c);
        plainOk(a);
        nestedOk(a, b);
        elementOk(accounts, i);
        readerBad(c);
        droppedBad(c);
        othersBad(a, b);
        oneOpenBad(a);
        keptBad(a);
        handedBad(a);
        afterBad(a);
        givenTwiceBad(a);
        bothBad(a);
        indexBad(accounts, i, k);
        movedBad(moving, i);
        wrongOrderBad(a, b);
        reusedBad(accounts);
        derived.superBad();
    }

    public static void main(String[] args) {
        Around around = new Around();
        Counter counter = new Counter();
        for (int t = 0; t < 2; t++) {
            int from = t, to = 1 - t;
            new Thread(() -> around.all(counter, from, to)).start();
        }
    }
}
