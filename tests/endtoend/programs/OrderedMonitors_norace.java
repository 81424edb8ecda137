// norace
// Two monitors are taken in the order of a number that each object has, so that no two threads wait for each other.
public class OrderedMonitors_norace {
    static class Account {
        final int id;
        long balance;

        Account(int id) {
            this.id = id;
        }
    }

    static void transfer(Account from, Account to) {
        Account first = from.id < to.id ? from : to, second = from.id < to.id ? to : from;
        synchronized (first) {
            synchronized (second) {
                from.balance--;
                to.balance++;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Account a = new Account(1), b = new Account(2);
        Thread t1 = new Thread(() -> {
            for (int i = 0; i < 2000; i++) transfer(a, b);
        });
        Thread t2 = new Thread(() -> {
            for (int i = 0; i < 2000; i++) transfer(b, a);
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println(a.balance + b.balance == 0 ? "ok" : "money was lost");
    }
}
