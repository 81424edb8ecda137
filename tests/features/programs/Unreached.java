// The method that the argument names is called by reflection only, so that the analysis sees no call of it.
import java.lang.reflect.Method;

public class Unreached {
    static int count;
    private final int[] cells = new int[1];
    private int sum;

    public static void main(String[] args) throws Exception {
        Unreached u = new Unreached();
        Thread guest = new Thread(() -> call(u, args));
        guest.start();
        do {
            u.step();
        } while (guest.isAlive());
        guest.join();
        System.out.println("ok");
    }

    private static void call(Unreached u, String[] names) {
        try {
            for (String name : names) {
                Method m = Unreached.class.getDeclaredMethod(name);
                m.invoke(u);
            }
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private void step() {
        count++;
        cells[0]++;
        sum++;
    }

    private void hidden() {
        long end = System.nanoTime() + 400_000_000L; // long enough for the other to meet it
        while (System.nanoTime() < end) {
            count++;
            cells[0]++;
            further();
        }
    }

    private void further() {
        sum++;
    }
}
