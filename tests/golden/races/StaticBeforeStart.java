// A static field written before the threads start and only read by them: removed by the order of start alone.
public class StaticBeforeStart extends Thread {
    private static int g;

    public static void main(String[] args) {
        g = args.length; // e1
        while (args.length > 1) {
            StaticBeforeStart t = new StaticBeforeStart();
            t.start();
        }
    }

    @Override
    public void run() {
        System.out.println(g); // e2
    }
}
