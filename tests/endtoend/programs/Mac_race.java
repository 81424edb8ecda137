// race: container javax.crypto.Mac
// Two threads feed one MAC.
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Mac_race {
    static final AtomicInteger GATE = new AtomicInteger();

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(new byte[16], "HmacSHA256"));
        Runnable feed = () -> {
            meet();
            mac.update((byte) 1);
        };
        Thread t1 = new Thread(feed);
        Thread t2 = new Thread(feed);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
