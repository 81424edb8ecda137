// norace
// An element is filled before its index is published by a volatile write.
public class ObjectArray_norace {
    static volatile int filled;

    public static void main(String[] args) throws Exception {
        Object[] a = new Object[500];
        Thread t1 = new Thread(() -> {
            for (int i = 0; i < a.length; i++) {
                a[i] = new int[] {i};
                filled = i + 1;
            }
        });
        Thread t2 = new Thread(() -> {
            for (int i = 0; i < a.length; i++) {
                while (filled <= i) Thread.yield();
                if (((int[]) a[i])[0] != i) throw new AssertionError(i);
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
