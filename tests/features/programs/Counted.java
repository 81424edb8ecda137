/** Two races that happen many times, one pair of accesses that a lock of unknown identity orders. */
public class Counted {
    static int hot;
    static int quiet;
    static int guarded;
    static final Object[] locks = {new StringBuilder(), new Object()};

    static Object lock(int i) {
        return locks[i];
    }

    static void work() {
        hot++;
        quiet++;
        synchronized (lock(0)) {
            guarded++;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(Counted::loop), b = new Thread(Counted::loop);
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println("ok");
    }

    static void loop() {
        for (int i = 0; i < 2000; i++) {
            work();
            if (i % 50 == 0) Thread.yield();
        }
    }
}
