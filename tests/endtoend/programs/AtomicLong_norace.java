// norace
// lazySet releases and get acquires; updateAndGet does both.
import java.util.concurrent.atomic.AtomicLong;

public class AtomicLong_norace {
    static final AtomicLong TURN = new AtomicLong();
    static long data;

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(() -> {
            for (long i = 0; i < 200; i += 2) {
                while (TURN.get() != i) Thread.yield();
                data++;
                TURN.lazySet(i + 1);
            }
        });
        Thread t2 = new Thread(() -> {
            for (long i = 1; i < 200; i += 2) {
                while (TURN.getAcquire() != i) Thread.yield();
                data++;
                TURN.updateAndGet(n -> n + 1);
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (data != 200) throw new AssertionError(data);
        System.out.println("ok");
    }
}
