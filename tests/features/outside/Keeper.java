/** Not analysed, but it holds the lock. */
public class Keeper implements Runnable {
    @Override
    public void run() {
        long end = System.nanoTime() + 400_000_000L; // long enough for the others to meet it
        while (System.nanoTime() < end) {
            synchronized (Boundary.box) {
                Boundary.box.inc();
            }
        }
    }
}
