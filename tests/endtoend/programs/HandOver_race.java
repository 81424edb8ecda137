// race: instance HandOver_race.Box.v
// The box is handed over under the lock, but its first owner goes on writing to it.
public class HandOver_race {
    static class Box {
        int v;
    }

    static final Object LOCK = new Object();
    static Box shared;

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(() -> {
            Box mine = new Box();
            synchronized (LOCK) {
                shared = mine;
            }
            mine.v = 1;
        });
        Thread t2 = new Thread(() -> {
            Box taken = null;
            while (taken == null) {
                synchronized (LOCK) {
                    taken = shared;
                }
                Thread.yield();
            }
            taken.v = 2;
        });
        // The waiting thread first: the end of t1 must not be able to order anything before the start of t2.
        t2.start();
        t1.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
