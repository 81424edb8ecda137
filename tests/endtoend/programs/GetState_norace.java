// norace
// Whoever is told that a thread has terminated comes after all it did, by whichever method.
public class GetState_norace {
    static int x;

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 20; i++) {
            Thread t = new Thread(() -> x++);
            t.start();
            while (t.getState() != Thread.State.TERMINATED) Thread.yield();
            x++;
        }
        if (x != 40) throw new AssertionError(x);
        System.out.println("ok");
    }
}
