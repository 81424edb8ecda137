// race: static SlotReuse_race.x
// The first thread writes once and lives on; after many short-lived threads the last one writes the same field.
public class SlotReuse_race {
    static volatile boolean stop;
    static int x;

    interface Body {
        void run() throws Exception;
    }

    static Thread thread(Body body) {
        return new Thread(() -> {
            try {
                body.run();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    public static void main(String[] args) throws Exception {
        Thread first = thread(() -> {
            x = 1;
            while (!stop) Thread.sleep(1);
        });
        first.start();
        for (int i = 0; i < 200; i++) {
            Thread t = new Thread(() -> {});
            t.start();
            t.join();
        }
        Thread last = new Thread(() -> x = 2);
        last.start();
        last.join();
        stop = true;
        first.join();
        System.out.println("ok");
    }
}
