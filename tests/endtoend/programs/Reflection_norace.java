// norace
// A synchronized method called by reflection takes its lock as usual.
import java.lang.reflect.Method;

public class Reflection_norace {
    static int x;

    public static synchronized void touch() {
        x++;
    }

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
        Method touch = Reflection_norace.class.getMethod("touch");
        Body work = () -> {
            for (int i = 0; i < 300; i++) touch.invoke(null);
        };
        Thread t1 = thread(work);
        Thread t2 = thread(work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (x != 600) throw new AssertionError(x);
        System.out.println("ok");
    }
}
