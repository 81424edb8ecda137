// norace
// The end of the constructor happens before the finalizer, and the latch hands the result back.
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

public class Finalizer_norace {
    static final CountDownLatch DONE = new CountDownLatch(1);
    static int seen;

    static class Resource {
        int value;

        Resource(int value) {
            this.value = value;
        }

        @Override
        @SuppressWarnings({"deprecation", "removal"})
        protected void finalize() {
            seen = value;
            DONE.countDown();
        }
    }

    static void drop() {
        new Resource(7);
    }

    public static void main(String[] args) throws Exception {
        drop();
        while (!DONE.await(10, TimeUnit.MILLISECONDS)) System.gc();
        if (seen != 7) throw new AssertionError(seen);
        System.out.println("ok");
    }
}
