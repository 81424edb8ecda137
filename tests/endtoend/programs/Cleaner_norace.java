// norace
// Registering happens before the cleaning action, and the latch hands the result back.
import java.lang.ref.Cleaner;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

public class Cleaner_norace {
    static final Cleaner CLEANER = Cleaner.create();
    static final CountDownLatch DONE = new CountDownLatch(1);
    static int count;

    static class State implements Runnable {
        int handle;

        @Override
        public void run() {
            count = handle;
            DONE.countDown();
        }
    }

    static void drop() {
        State state = new State();
        state.handle = 7;
        CLEANER.register(new Object(), state);
    }

    public static void main(String[] args) throws Exception {
        drop();
        while (!DONE.await(10, TimeUnit.MILLISECONDS)) System.gc();
        if (count != 7) throw new AssertionError(count);
        System.out.println("ok");
    }
}
