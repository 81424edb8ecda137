// Proved as it stands; the test takes the lock away, which the plan cannot know.
public class Stale {
    static final Object lock = new Object();
    static int n;

    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int k = 0; k < 20_000; k++) {
                    synchronized (lock) {
                        n++;
                    }
                }
            });
        }
        for (Thread t : threads) t.start();
        for (Thread t : threads) t.join();
        System.out.println("ok");
    }
}
