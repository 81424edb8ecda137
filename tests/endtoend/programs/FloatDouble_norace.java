// norace
// The sums are added to by synchronized methods only.
public class FloatDouble_norace {
    float f;
    double d;

    synchronized void add(int i) {
        f += 1;
        d += i;
    }

    public static void main(String[] args) throws Exception {
        FloatDouble_norace o = new FloatDouble_norace();
        Runnable work = () -> {
            for (int i = 0; i < 5000; i++) o.add(1);
        };
        Thread t1 = new Thread(work);
        Thread t2 = new Thread(work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (o.d != 10000 || o.f != 10000) throw new AssertionError(o.d);
        System.out.println("ok");
    }
}
