// A counter whose `inc` leaves the lock to its callers.  Those that the analysis sees hold it; the class that the
// argument names is not among them.
public class Boundary {
    static final Box box = new Box();

    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[3];
        for (int i = 0; i < 2; i++) {
            threads[i] = new Thread(() -> {
                for (int k = 0; k < 20_000; k++) box.add();
            });
        }
        Class<?> outsider = Class.forName(args[0]);
        new Box().inc(); // nobody else has it, so no lock is needed
        threads[2] = new Thread((Runnable) outsider.getDeclaredConstructor().newInstance());
        for (Thread t : threads) t.start();
        for (Thread t : threads) t.join();
        System.out.println("ok");
    }

    static class Box {
        int count;
        private final int[] cells = new int[1];

        synchronized void add() {
            inc();
        }

        void inc() {
            count++;
            cells[0]++;
        }
    }
}
