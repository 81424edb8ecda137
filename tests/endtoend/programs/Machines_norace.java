// A matcher of its own for each thread, a MAC under a lock, and questions to a matcher that nobody moves any more.
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
        Matcher found = PATTERN.matcher("abbbc");
        if (!found.find()) throw new AssertionError();
        Runnable work = () -> {
            for (int i = 0; i < 100; i++) {
                if (own(i) != 4 || found.start() != 1 || mac.getMacLength() != 32) throw new AssertionError(i);
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
