// race: instance OrderedMonitors_race.Account.balance
// The monitor of the sender alone is taken: the account that the other thread pays into is under another one.
public class OrderedMonitors_race {
    static class Account {
        final int id;
        long balance;

        Account(int id) {
            this.id = id;
        }
    }

    static void transfer(Account from, Account to) {
        synchronized (from) {
            from.balance--;
            to.balance++;
        }
    }

    public static void main(String[] args) throws Exception {
        Account a = new Account(1), b = new Account(2), c = new Account(3);
        Thread t1 = new Thread(() -> {
            for (int i = 0; i < 2000; i++) transfer(a, c);
        });
        Thread t2 = new Thread(() -> {
            for (int i = 0; i < 2000; i++) transfer(b, c);
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
