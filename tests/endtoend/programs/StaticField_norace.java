// norace
// The static fields are only touched while the class's monitor is held.
public class StaticField_norace {
    static int count;
    static Object last;

    public static void main(String[] args) throws Exception {
        Runnable work = () -> {
            for (int i = 0; i < 5000; i++) {
                synchronized (StaticField_norace.class) {
                    count++;
                    last = Thread.currentThread();
                }
            }
        };
        Thread t1 = new Thread(work);
        Thread t2 = new Thread(work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (count != 10000 || last == null) throw new AssertionError(count);
        System.out.println("ok");
    }
}
