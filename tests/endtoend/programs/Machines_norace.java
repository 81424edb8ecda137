// norace
// A matcher of its own for each call, a MAC under a lock.
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Machines_norace {
    static final Pattern PATTERN = Pattern.compile("b+");

    static int own(int i) {
        Matcher own = PATTERN.matcher("abbbc" + i);
        return own.find() ? own.end() : -1;
    }

    public static void main(String[] args) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(new byte[16], "HmacSHA256"));
        Runnable work = () -> {
            for (int i = 0; i < 100; i++) {
                if (own(i) != 4 || mac.getMacLength() != 32) throw new AssertionError(i);
                synchronized (mac) {
                    mac.update((byte) i);
                }
            }
        };
        Thread t1 = new Thread(work);
        Thread t2 = new Thread(work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (mac.doFinal().length != 32) throw new AssertionError();
        System.out.println("ok");
    }
}
