// norace
// A static synchronized method and a block on the class object share one lock.
public class StaticSynchronized_norace {
    static int total;

    static synchronized void add() {
        total++;
    }

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(() -> {
            for (int i = 0; i < 3000; i++) add();
        });
        Thread t2 = new Thread(() -> {
            for (int i = 0; i < 3000; i++) {
                synchronized (StaticSynchronized_norace.class) {
                    total--;
                }
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (total != 0) throw new AssertionError(total);
        System.out.println("ok");
    }
}
