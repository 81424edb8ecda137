import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/** Loads a class again and again, each time with a loader of its own that is dropped at once. */
public class Churn {
    public static class Unit implements Runnable {
        private int value;
        private static int total;
        private final int[] cells = new int[8];
        private volatile boolean done;

        @Override public void run() {
            for (int i = 0; i < cells.length; i++) {
                cells[i] = value++;
                total += cells[i];
            }
            done = true;
            if (total != 28 || !done) throw new IllegalStateException("counted " + total);
        }
    }

    static final class Once extends ClassLoader {
        private final byte[] bytes;

        Once(byte[] bytes) {
            super(Churn.class.getClassLoader());
            this.bytes = bytes;
        }

        Class<?> unit() {
            return defineClass("Churn$Unit", bytes, 0, bytes.length);
        }
    }

    public static void main(String[] args) throws Exception {
        byte[] bytes;
        try (InputStream in = Churn.class.getResourceAsStream("Churn$Unit.class")) {
            bytes = in.readAllBytes();
        }
        List<WeakReference<Class<?>>> dropped = new ArrayList<>();
        int n = Integer.parseInt(args[0]);
        for (int i = 0; i < n; i++) {
            Class<?> c = new Once(bytes).unit();
            Runnable unit = (Runnable) c.getDeclaredConstructor().newInstance();
            // Some run in a thread of their own, so that what the checker keeps of a dead thread is seen too.
            if (i % 50 == 0) {
                Thread t = new Thread(unit);
                t.start();
                t.join();
            } else {
                unit.run();
            }
            if (i % 100 == 0) dropped.add(new WeakReference<>(c));
        }
        System.gc();
        int alive = 0;
        for (WeakReference<Class<?>> r : dropped) if (r.get() != null) alive++;
        // The last few may still be held by a frame; all others must be gone.
        System.out.println(alive <= 3 + dropped.size() / 20 ? "ok" : alive + " of " + dropped.size() + " classes stay");
    }
}
