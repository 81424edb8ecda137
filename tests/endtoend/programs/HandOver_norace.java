// norace
// Boxes are filled without a lock, handed over under it, and then belong to the taker alone.
public class HandOver_norace {
    static class Box {
        int v;
    }

    static final Object LOCK = new Object();
    static Box shared;

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(() -> {
            for (int i = 0; i < 200; ) {
                Box mine = new Box();
                mine.v = i;
                synchronized (LOCK) {
                    if (shared == null) {
                        shared = mine;
                        i++;
                    }
                }
                Thread.yield();
            }
        });
        Thread t2 = new Thread(() -> {
            for (int i = 0; i < 200; ) {
                Box taken;
                synchronized (LOCK) {
                    taken = shared;
                    shared = null;
                }
                if (taken == null) {
                    Thread.yield();
                    continue;
                }
                if (taken.v++ != i++) throw new AssertionError(i);
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
