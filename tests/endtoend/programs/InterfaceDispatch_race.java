// race: instance InterfaceDispatch_race.Account.balance
// Two implementations, called through an interface and its default method, write one account.
import java.util.concurrent.atomic.AtomicInteger;

public class InterfaceDispatch_race {
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
        Account a = new Account();
        Action in = new Deposit();
        Action out = new Withdraw();
        Thread t1 = new Thread(() -> {
            meet();
            in.twice(a);
        });
        Thread t2 = new Thread(() -> {
            meet();
            out.twice(a);
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
