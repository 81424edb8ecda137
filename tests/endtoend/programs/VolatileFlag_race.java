// race: static VolatileFlag_race.data
// The volatile write publishes what came before it, not the second write of the data after it.
public class VolatileFlag_race {
    static volatile boolean ready;
    static int data;

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(() -> {
            data = 1;
            ready = true;
            data = 2;
        });
        Thread t2 = new Thread(() -> {
            while (!ready) Thread.yield();
            data = 3;
        });
        // The waiting thread first: the end of t1 must not be able to order anything before the start of t2.
        t2.start();
        t1.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
