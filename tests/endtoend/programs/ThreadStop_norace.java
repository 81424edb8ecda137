// norace
// Threads are stopped wherever they are, also in what the agent does (up to JDK 19; later ones refuse); others go on.
public class ThreadStop_norace {
    static final Object LOCK = new Object();
    int x;
    final int[] a = new int[64];

    void run() {
        try {
            for (;;) {
                synchronized (LOCK) {
                    x++;
                    for (int i = 0; i < a.length; i++) a[i]++;
                }
                ThreadStop_norace own = new ThreadStop_norace();
                own.a[3]++;
                synchronized (own) {
                    own.x++;
                }
            }
        } catch (ThreadDeath e) {
            // as asked for
        }
    }

    @SuppressWarnings({"deprecation", "removal"})
    public static void main(String[] args) throws Exception {
        int rounds = Runtime.version().feature() < 20 ? 400 : 0;
        for (int i = 0; i < rounds; i++) {
            ThreadStop_norace o = new ThreadStop_norace();
            Thread t = new Thread(o::run);
            t.start();
            Thread.sleep(0, 300_000);
            t.stop();
            t.join();
            synchronized (LOCK) {
                o.x++;
            }
        }
        System.out.println("ok");
    }
}
