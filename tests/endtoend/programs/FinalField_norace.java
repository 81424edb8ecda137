// norace
// Final fields, and what was reachable through them at the end of the constructor, are safe to read however the
// object was published.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class FinalField_norace {
    static class Config {
        final int size;
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
            CONFIG = MethodHandles.lookup().findStaticVarHandle(FinalField_norace.class, "config", Config.class);
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
            Config c = find();
            if (c.size != 3 || c.table[1] != 3) throw new AssertionError();
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
