/**
 * Locks that are held when the first checked access comes, and with it the tracking of locks. One is given back
 * afterwards, the other one by waiting. The analysis cannot tell which lock of the array it is.
 */
public class Across {
    static final class Gate {}

    static int given, waited;
    static boolean done;

    public static void main(String[] args) throws InterruptedException {
        Gate[] gates = {new Gate(), new Gate()};
        int which = args.length;
        Thread first = new Thread(() -> giveBack(gates[which]));
        Thread second = new Thread(() -> wake(gates[which + 1]));
        synchronized (gates[which + 1]) {
            synchronized (gates[which]) {
                first.start();
                given = 1;
            }
            first.join();
            second.start();
            waited = 1;
            while (!done) gates[which + 1].wait();
        }
        second.join();
        System.out.println(given + waited);
    }

    private static void giveBack(Gate gate) {
        synchronized (gate) {
            given = 2;
        }
    }

    private static void wake(Gate gate) {
        synchronized (gate) {
            waited = 2;
            done = true;
            gate.notifyAll();
        }
    }
}
