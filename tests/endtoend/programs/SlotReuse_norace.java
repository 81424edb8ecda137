// norace
// Many short-lived threads, first one after the other, then in groups that share a lock.
public class SlotReuse_norace {
    static int x;

    static synchronized void locked() {
        x++;
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 300; i++) {
            Thread t = new Thread(() -> x++);
            t.start();
            t.join();
        }
        for (int group = 0; group < 20; group++) {
            Thread[] threads = new Thread[10];
            for (int i = 0; i < 10; i++) {
                threads[i] = new Thread(SlotReuse_norace::locked);
                threads[i].start();
            }
            for (Thread t : threads) t.join();
            x++;
        }
        if (x != 300 + 220) throw new AssertionError(x);
        System.out.println("ok");
    }
}
