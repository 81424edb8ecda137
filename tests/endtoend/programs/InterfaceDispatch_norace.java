// norace
// The same code runs in two threads at once, but each has an account of its own.
import java.util.concurrent.atomic.AtomicInteger;

public class InterfaceDispatch_norace {
    static final AtomicInteger GATE = new AtomicInteger();

    static class Account {
        int balance;
    }

    interface Action {
        void apply(Account a);

        default void twice(Account a) {
            apply(a);
            apply(a);
        }
    }

    static class Deposit implements Action {
        public void apply(Account a) {
            a.balance += 10;
        }
    }

    static class Withdraw implements Action {
        public void apply(Account a) {
            a.balance -= 10;
        }
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Account a1 = new Account();
        Account a2 = new Account();
        Action in = new Deposit();
        Action out = new Withdraw();
        Thread t1 = new Thread(() -> {
            meet();
            for (int i = 0; i < 500; i++) {
                in.twice(a1);
                out.twice(a1);
            }
        });
        Thread t2 = new Thread(() -> {
            meet();
            for (int i = 0; i < 500; i++) {
                in.twice(a2);
                out.twice(a2);
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (a1.balance != 0 || a2.balance != 0) throw new AssertionError(a1.balance);
        System.out.println("ok");
    }
}
