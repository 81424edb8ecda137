// norace
// Two conditions of one lock pass the turn to and fro.
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class Condition_norace {
    static final ReentrantLock LOCK = new ReentrantLock();
    static final Condition[] TURNS = {LOCK.newCondition(), LOCK.newCondition()};
    static int turn;
    static int data;

    static void play(int me) throws InterruptedException {
        for (int i = 0; i < 200; i++) {
            LOCK.lock();
            try {
                while (turn != me) TURNS[me].await();
            } finally {
                LOCK.unlock();
            }
            data++;
            LOCK.lock();
            turn = 1 - me;
            TURNS[turn].signal();
            LOCK.unlock();
        }
    }

    interface Body {
        void run() throws Exception;
    }

    static Thread thread(Body body) {
        return new Thread(() -> {
            try {
                body.run();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    public static void main(String[] args) throws Exception {
        Thread t1 = thread(() -> {
            play(0);
        });
        Thread t2 = thread(() -> {
            play(1);
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (data != 400) throw new AssertionError(data);
        System.out.println("ok");
    }
}
