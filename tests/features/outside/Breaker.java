/** Not analysed, and it does not hold the lock. */
public class Breaker implements Runnable {
    @Override
    public void run() {
        for (int i = 0; i < 20_000; i++) Boundary.box.inc();
    }
}
