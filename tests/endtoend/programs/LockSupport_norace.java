// norace
// Parking is only the way to wait; the volatile turn hands the data over.
import java.util.concurrent.locks.LockSupport;

public class LockSupport_norace {
    static volatile int turn;
    static int data;

    static void await(int me) {
        while (turn != me) LockSupport.park();
    }

    public static void main(String[] args) throws Exception {
        Thread main = Thread.currentThread();
        Thread t = new Thread(() -> {
            for (int i = 0; i < 300; i++) {
                await(1);
                data++;
                turn = 0;
                LockSupport.unpark(main);
            }
        });
        t.start();
        for (int i = 0; i < 300; i++) {
            await(0);
            data++;
            turn = 1;
            LockSupport.unpark(t);
        }
        t.join();
        if (data != 600) throw new AssertionError(data);
        System.out.println("ok");
    }
}
