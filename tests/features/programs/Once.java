/** Each thread runs its line once; a lock hides the race of the two as long as the first writer is in time, as it mostly is. */
public class Once {
    static volatile boolean go;
    static int x;

    static void first() {
        go = true;
        x = 1;
        synchronized (Once.class) {
        }
    }

    static void second() {
        while (!go) Thread.onSpinWait();
        for (long end = System.nanoTime() + 200_000; System.nanoTime() < end;) Thread.onSpinWait();
        synchronized (Once.class) {
        }
        x = 2;
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(Once::first), b = new Thread(Once::second);
        b.start();
        a.start();
        a.join();
        b.join();
        System.out.println("ok");
    }
}
