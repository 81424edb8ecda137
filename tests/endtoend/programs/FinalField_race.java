// race: instance FinalField_race.Config.size
// An object with a plain field is published without an order (an opaque store).
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class FinalField_race {
    static class Config {
        int size;
        final int[] table;

        Config(int n) {
            size = n;
            table = new int[] {n, n};
        }
    }

    static final VarHandle CONFIG;
    static Config config;

    static {
        try {
            CONFIG = MethodHandles.lookup().findStaticVarHandle(FinalField_race.class, "config", Config.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static void publish(Config c) {
        CONFIG.setOpaque(c);
    }

    static Config find() {
        Config c;
        while ((c = (Config) CONFIG.getOpaque()) == null) Thread.yield();
        return c;
    }

    public static void main(String[] args) throws Exception {
        // Links the calls here: what linking synchronises on must not order the threads.
        publish(new Config(1));
        find();
        publish(null);
        Thread t1 = new Thread(() -> {
            publish(new Config(3));
        });
        Thread t2 = new Thread(() -> {
            int seen = find().size;
        });
        // The waiting thread first: the end of t1 must not be able to order anything before the start of t2.
        t2.start();
        t1.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
