// Requires sets go up to the callers that take the lock; one that does not take it makes the lock go missing.
public class Requires {
    public static void main(String[] args) {
        Account good = new Account();
        Account bad = new Account();
        Shared shared = new Shared();
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                good.deposit(1);
                shared.locked();
            }).start();
            new Thread(() -> {
                bad.deposit(1);
                bad.outer(2);
                Shared.withArgument(shared);
            }).start();
        }
    }
}

class Account {
    int balance;

    synchronized void deposit(int n) {
        outer(n);
    }

    void outer(int n) {
        inner(n);
    }

    private void inner(int n) {
        balance += n;
    }
}

class Shared {
    int count;

    void locked() {
        synchronized (this) {
            add(this);
        }
    }

    static void withArgument(Shared other) {
        synchronized (other) {
            add(other);
        }
    }

    static void add(Shared other) {
        other.count++;
    }
}
