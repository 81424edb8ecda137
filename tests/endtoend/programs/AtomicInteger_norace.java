// norace
// Tickets and turns in AtomicIntegers make a fair spin lock.
import java.util.concurrent.atomic.AtomicInteger;

public class AtomicInteger_norace {
    static final AtomicInteger TICKET = new AtomicInteger();
    static final AtomicInteger TURN = new AtomicInteger();
    static int data;

    public static void main(String[] args) throws Exception {
        Runnable work = () -> {
            for (int i = 0; i < 300; i++) {
                int mine = TICKET.getAndIncrement();
                while (TURN.get() != mine) Thread.yield();
                data++;
                TURN.set(mine + 1);
            }
        };
        Thread t1 = new Thread(work);
        Thread t2 = new Thread(work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (data != 600) throw new AssertionError(data);
        System.out.println("ok");
    }
}
