// norace
// static race: static ShutdownHook_norace.ofMain
// static race: static ShutdownHook_norace.ofWorker
// The JVM shuts down by itself when the last thread that is no daemon has ended, and only then starts the hooks.
// A signal would start them while main and the worker are still at work, which is what the analysis warns of.
public class ShutdownHook_norace {
    static int ofMain, ofWorker;

    static void work() {
        try {
            Thread.sleep(50); // main has ended before
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        ofWorker++;
    }

    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            ofMain++;
            ofWorker++;
            System.out.println(ofMain == 2 && ofWorker == 2 ? "ok" : "bad");
        }));
        new Thread(ShutdownHook_norace::work).start();
        ofMain++;
    }
}
