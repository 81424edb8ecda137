package bank;

/** Moves money between accounts; a transfer locks only the two accounts it touches, lower number first. */
final class Bank {
    private static final long FEE = 1;

    private final Account[] accounts;
    private long fees;

    Bank(int count, long balance) {
        accounts = new Account[count];
        for (int i = 0; i < count; i++) {
            accounts[i] = new Account(i, balance);
        }
    }

    int size() {
        return accounts.length;
    }

    void transfer(int from, int to, long amount) {
        Account first = accounts[Math.min(from, to)];
        Account second = accounts[Math.max(from, to)];
        synchronized (first) {
            synchronized (second) {
                accounts[from].add(-amount - FEE);
                accounts[to].add(amount);
                fees += FEE; // the bug: two transfers between other accounts hold other locks
            }
        }
    }

    /** Each transfer is booked on two accounts. */
    int transfers() {
        int bookings = 0;
        for (Account a : accounts) {
            bookings += a.bookings();
        }
        return bookings / 2;
    }

    /** Call after all tellers have ended. */
    long fees() {
        return fees;
    }

    long totalBalance() {
        long sum = 0;
        for (Account a : accounts) {
            sum += a.balance();
        }
        return sum;
    }
}
