import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Guards that cannot be checked: it is said that they are not. */
public class Unchecked {
    @interface GuardedBy {
        String value();
    }

    Lock changing = new ReentrantLock();
    final Lock fixed = new ReentrantLock();

    @GuardedBy("changing") int a;
    @GuardedBy("lock()") int b;
    @GuardedBy("fixed") int c;
    @GuardedBy("itself") Object d;

    Lock lock() {
        return changing;
    }

    @GuardedBy("missing")
    void change() {
        changing = new ReentrantLock();
    }

    public static void main(String[] args) {
        Unchecked o = new Unchecked();
        o.change();
        o.lock();
    }
}
