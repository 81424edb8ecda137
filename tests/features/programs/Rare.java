import java.util.concurrent.locks.LockSupport;

/** A race that a lock hides as long as the writer is first, and it nearly always is. */
public class Rare {
    int x;
    static int seen;

    void write() {
        x = 1;
        synchronized (this) {
            seen++;
        }
    }

    int read() {
        LockSupport.parkNanos(700_000);
        synchronized (this) {
            seen++;
        }
        return x;
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 30; i++) {
            Rare r = new Rare();
            Thread a = new Thread(r::write), b = new Thread(r::read);
            a.start();
            b.start();
            a.join();
            b.join();
        }
        System.out.println("ok");
    }
}
