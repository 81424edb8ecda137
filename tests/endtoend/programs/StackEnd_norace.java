// norace
// The stack ends again and again, often in the midst of taking or leaving a monitor; the program goes on, and what it touches
// it touches under that monitor only.
public class StackEnd_norace {
    static final Object lock = new Object();
    static int byBlock, byMethod;

    static void block() {
        synchronized (lock) {
            byBlock++;
        }
    }

    static synchronized void method() {
        byMethod++;
    }

    static void deeper(boolean blocks) {
        if (blocks) block();
        else method();
        deeper(blocks);
    }

    static void work() {
        for (int i = 0; i < 300; i++) {
            try {
                deeper(i % 2 == 0);
            } catch (StackOverflowError e) {
                // that is what we are here for
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread[] all = new Thread[3];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Thread(null, StackEnd_norace::work, "deep-" + i, 256 << 10);
            all[i].start();
        }
        for (Thread t : all) t.join();
        System.out.println("ok");
    }
}
