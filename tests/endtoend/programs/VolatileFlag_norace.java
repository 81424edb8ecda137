// norace
// The data is read only after the volatile flag was seen to be set.
public class VolatileFlag_norace {
    static volatile boolean ready;
    static int data;
    static int[] more;

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(() -> {
            more = new int[] {7};
            data = 42;
            ready = true;
        });
        Thread t2 = new Thread(() -> {
            while (!ready) Thread.yield();
            if (data != 42 || more[0] != 7) throw new AssertionError(data);
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
