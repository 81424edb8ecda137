// Two threads race once a method has run of which the analysis saw no call: the argument names it.
public class Afterwards {
    static int ticks;

    public static void main(String[] args) throws Exception {
        Afterwards.class.getDeclaredMethod(args[0]).invoke(null);
        Thread[] threads = {new Thread(Afterwards::tick), new Thread(Afterwards::tick)};
        for (Thread t : threads) t.start();
        for (Thread t : threads) t.join();
        System.out.println("ok");
    }

    private static void tick() {
        for (int i = 0; i < 1000; i++) ticks++;
    }

    private static void hidden() {}
}
