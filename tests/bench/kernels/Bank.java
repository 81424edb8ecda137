// norace
package bench;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bank with one lock per account: transfers take two locks in account order, now and then an audit takes them all
 * and checks the total. Half of the branches use monitors, half ReentrantLocks. Hot: fields guarded by many locks.
 */
public final class Bank {
    private static final int ACCOUNTS = 512;
    private static final int HISTORY = 16;
    private static final int AUDIT_EVERY = 20_000;

    /** All non-final fields are guarded by the account's lock, whichever kind it is. */
    abstract static class Account {
        final int number;
        long balance = 1000;
        int transfers;
        private final int[] history = new int[HISTORY];

        Account(int number) {
            this.number = number;
        }

        void book(int amount) {
            balance += amount;
            history[transfers % HISTORY] = amount;
            transfers++;
        }

        long recentTurnover() {
            long sum = 0;
            for (int amount : history) {
                sum += Math.abs(amount);
            }
            return sum;
        }

        /** Runs the action while this account is locked. */
        abstract void locked(Runnable action);
    }

    static final class MonitorAccount extends Account {
        MonitorAccount(int number) {
            super(number);
        }

        @Override
        void locked(Runnable action) {
            synchronized (this) {
                action.run();
            }
        }
    }

    static final class LockAccount extends Account {
        private final Lock lock = new ReentrantLock();

        LockAccount(int number) {
            super(number);
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

    private final Account[] accounts = new Account[ACCOUNTS];

    private Bank() {
        for (int i = 0; i < ACCOUNTS; i++) {
            accounts[i] = i % 2 == 0 ? new MonitorAccount(i) : new LockAccount(i);
        }
    }

    private void transfer(Account from, Account to, int amount) {
        Account first = from.number < to.number ? from : to;
        Account second = first == from ? to : from;
        first.locked(() -> second.locked(() -> {
            from.book(-amount);
            to.book(amount);
        }));
    }

    /** Locks all accounts from {@code i} on, one inside the other, and adds up their balances. */
    private long total(int i, long sum) {
        if (i == ACCOUNTS) {
            return sum;
        }
        long[] result = new long[1];
        accounts[i].locked(() -> result[0] = total(i + 1, sum + accounts[i].balance));
        return result[0];
    }

    private void work(int id, int transfers) {
        Rng rng = new Rng(200 + id);
        for (int n = 1; n <= transfers; n++) {
            int from = rng.nextInt(ACCOUNTS);
            int to = (from + 1 + rng.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
            transfer(accounts[from], accounts[to], 1 + rng.nextInt(100));
            if (n % AUDIT_EVERY == 0 && total(0, 0) != 1000L * ACCOUNTS) {
                throw new IllegalStateException("money was lost");
            }
        }
    }

    public static void main(String[] argv) throws InterruptedException {
        Args args = Args.parse(argv, 40_000_000, 1_000_000);
        Bank bank = new Bank();
        Runnable[] workers = new Runnable[args.threads];
        for (int id = 0; id < args.threads; id++) {
            int mine = id;
            workers[id] = () -> bank.work(mine, args.size);
        }
        Args.runAll(workers);
        long sum = 0;
        for (Account a : bank.accounts) {
            if (a.recentTurnover() < 0) {
                throw new IllegalStateException("bad history");
            }
            sum = sum * 31 + a.balance * 7 + a.transfers;
        }
        args.print("Bank", sum);
    }
}
