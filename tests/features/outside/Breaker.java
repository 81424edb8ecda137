/** Not analysed, and it does not hold the lock. */
public class Breaker implements Runnable {
    @Override
    public void run() {
        long end = System.nanoTime() + 400_000_000L; // long enough for the others to meet it
        while (System.nanoTime() < end) {
            Boundary.box.inc();
        }
    }
}
