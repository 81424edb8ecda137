// norace
// Two accounts are locked in an order that all threads agree on; the function that books runs under both locks, of
// which one is a monitor and the other a ReentrantLock.
import java.util.concurrent.locks.ReentrantLock;

public class LocksInOrder_norace {
    abstract static class Account {
        final int id;
        int balance;

        Account(int id) {
            this.id = id;
        }

        abstract void locked(Runnable action);
    }

    static class Monitor extends Account {
        Monitor(int id) {
            super(id);
        }

        @Override
        synchronized void locked(Runnable action) {
            action.run();
        }
    }

    static class Explicit extends Account {
        final ReentrantLock lock = new ReentrantLock();

        Explicit(int id) {
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
    }

    static void transfer(Account from, Account to) {
        Account first = from.id < to.id ? from : to, second = first == from ? to : from;
        first.locked(() -> second.locked(() -> {
            from.balance--;
            to.balance++;
        }));
    }

    public static void main(String[] args) throws Exception {
        Account a = new Monitor(1), b = new Explicit(2), c = new Monitor(3);
        Thread t1 = new Thread(() -> {
            for (int i = 0; i < 2000; i++) transfer(a, c);
        });
        Thread t2 = new Thread(() -> {
            for (int i = 0; i < 2000; i++) transfer(c, b);
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println(a.balance + b.balance + c.balance == 0 ? "ok" : "money was lost");
    }
}
