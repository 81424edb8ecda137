// race: static LockSupport_race.data
// The data is written after the unpark.
import java.util.concurrent.locks.LockSupport;

public class LockSupport_race {
    static int data;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            LockSupport.park();
            data = 1;
        });
        t.start();
        LockSupport.unpark(t);
        data = 2;
        t.join();
        System.out.println("ok");
    }
}
