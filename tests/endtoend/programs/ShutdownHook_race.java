// race: static ShutdownHook_race.x
// Nobody waits for daemons before the hooks start.
public class ShutdownHook_race {
    static int x;

    static void work() {
        x++;
        try {
            Thread.sleep(60_000);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            x++;
            System.out.println("ok");
        }));
        Thread daemon = new Thread(ShutdownHook_race::work);
        daemon.setDaemon(true);
        daemon.start();
        while (daemon.getState() != Thread.State.TIMED_WAITING) Thread.yield();
    }
}
