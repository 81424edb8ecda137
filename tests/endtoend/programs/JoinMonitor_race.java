// race: static JoinMonitor_race.x
// Who joins a thread waits on the thread's monitor, which that thread takes before it writes: no order, for it has not ended.
public class JoinMonitor_race {
    static int x;

    public static void main(String[] args) throws Exception {
        Thread main = Thread.currentThread();
        Thread t = new Thread() {
            @Override
            public void run() {
                while (main.getState() != Thread.State.WAITING) Thread.yield();
                synchronized (this) {
                    x = 42;
                }
            }
        };
        t.start();
        x = 43;
        t.join();
        System.out.println("ok");
    }
}
