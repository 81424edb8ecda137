// race: static Interrupt_race.data
// The data is written after the interrupt that the other thread waits for.
public class Interrupt_race {
    static int data;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            while (!Thread.interrupted()) Thread.yield();
            int seen = data;
        });
        t.start();
        t.interrupt();
        data = 1;
        t.join();
        System.out.println("ok");
    }
}
