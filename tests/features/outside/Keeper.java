/** Not analysed, but it holds the lock. */
public class Keeper implements Runnable {
    @Override
    public void run() {
        for (int i = 0; i < 20_000; i++) {
            synchronized (Boundary.box) {
                Boundary.box.inc();
            }
        }
    }
}
