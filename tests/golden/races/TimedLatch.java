import java.lang.ref.Cleaner;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Latches that are waited for with a time limit, and code that the VM or a cleaner runs once. */
public class TimedLatch {
    static final CountDownLatch CLEANED = new CountDownLatch(1), FINALIZED = new CountDownLatch(1),
            HALF = new CountDownLatch(1);
    static int cleaned, cleanedTwice, finalized, ignored;

    static class Resource {
        @Override
        @SuppressWarnings({"deprecation", "removal"})
        protected void finalize() {
            finalized++;
            FINALIZED.countDown();
        }
    }

    static void cleanerOk(Cleaner cleaner) throws Exception {
        cleaner.register(new Object(), () -> {
            cleaned++;
            CLEANED.countDown();
        });
        while (!CLEANED.await(1, TimeUnit.MILLISECONDS)) System.gc();
        cleaned++;
    }

    /** One action, registered for many objects. */
    static void cleanerBad(Cleaner cleaner) throws Exception {
        for (int i = 0; i < 2; i++) cleaner.register(new Object(), () -> cleanedTwice++);
        cleanedTwice++;
    }

    static void finalizerOk() throws Exception {
        new Resource();
        while (!FINALIZED.await(1, TimeUnit.MILLISECONDS)) System.gc();
        finalized++;
    }

    static void ignoredBad() throws Exception {
        Thread t = new Thread(() -> {
            ignored++;
            HALF.countDown();
        });
        t.start();
        HALF.await(1, TimeUnit.MILLISECONDS);
        ignored++;
    }

    public static void main(String[] args) throws Exception {
        Cleaner cleaner = Cleaner.create();
        cleanerOk(cleaner);
        cleanerBad(cleaner);
        finalizerOk();
        ignoredBad();
    }
}
