package bank;

/** One account; its own monitor guards the rest. */
final class Account {
    final int number;
    private long balance;
    private int bookings;

    Account(int number, long balance) {
        this.number = number;
        this.balance = balance;
    }

    synchronized void add(long amount) {
        balance += amount;
        bookings++;
    }

    synchronized long balance() {
        return balance;
    }

    synchronized int bookings() {
        return bookings;
    }
}
