// min-jdk: 21
// norace
// Start, join, monitors and sleeping order virtual threads like any other.
public class VirtualThread_norace {
    static final Object LOCK = new Object();
    static int x;
    static int y;

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 50; i++) {
            Thread t = Thread.startVirtualThread(() -> {
                x++;
                Thread.yield();
                x++;
            });
            t.join();
            x++;
        }
        Thread[] threads = new Thread[50];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Thread.ofVirtual().start(() -> {
                for (int n = 0; n < 20; n++) {
                    synchronized (LOCK) {
                        y++;
                    }
                    Thread.yield();
                }
            });
        }
        for (Thread t : threads) t.join();
        if (x != 150 || y != 1000) throw new AssertionError(x);
        System.out.println("ok");
    }
}
