// race: static GetState_race.x
// Any other state than terminated says nothing about what the thread has done.
public class GetState_race {
    static volatile boolean stop;
    static int x;

    static void work() {
        x = 1;
        try {
            while (!stop) Thread.sleep(1);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(GetState_race::work);
        t.start();
        while (t.getState() != Thread.State.TIMED_WAITING) Thread.yield();
        x++;
        stop = true;
        t.join();
        System.out.println("ok");
    }
}
