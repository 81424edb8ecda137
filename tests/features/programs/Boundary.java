// A counter whose `inc` leaves the lock to its callers.  Those that the analysis sees hold it; the class that the
// argument names is not among them.
public class Boundary {
    static final Box box = new Box();

    public static void main(String[] args) throws Exception {
        Class<?> outsider = Class.forName(args[0]);
        Thread guest = new Thread((Runnable) outsider.getDeclaredConstructor().newInstance());
        Thread[] threads = {guest, null, null};
        for (int i = 1; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                do {
                    box.add();
                } while (guest.isAlive());
            });
        }
        new Box().inc(); // nobody else has it, so no lock is needed
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
