// norace
// Each element is released by one thread and acquired by the other before the data is used.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class VarHandleArray_norace {
    static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(int[].class);
    static int data;

    static void set(int[] a, int i) {
        ELEMENT.setRelease(a, i, 1);
    }

    static int get(int[] a, int i) {
        return (int) ELEMENT.getAcquire(a, i);
    }

    public static void main(String[] args) throws Exception {
        int[] a = new int[100];
        Thread t1 = new Thread(() -> {
            for (int i = 0; i < 100; i += 2) {
                data++;
                set(a, i);
                while (get(a, i + 1) == 0) Thread.yield();
            }
        });
        Thread t2 = new Thread(() -> {
            for (int i = 0; i < 100; i += 2) {
                while (get(a, i) == 0) Thread.yield();
                data++;
                set(a, i + 1);
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (data != 100) throw new AssertionError(data);
        System.out.println("ok");
    }
}
