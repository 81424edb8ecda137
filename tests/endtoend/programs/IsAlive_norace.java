// norace
// All actions of a thread happen before isAlive is seen to be false.
public class IsAlive_norace {
    static int x;

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 20; i++) {
            Thread t = new Thread(() -> x++);
            t.start();
            while (t.isAlive()) Thread.yield();
            x++;
        }
        if (x != 40) throw new AssertionError(x);
        System.out.println("ok");
    }
}
