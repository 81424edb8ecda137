// norace
// Every increment of the field holds the monitor of its object.
public class IntField_norace {
    int x;

    public static void main(String[] args) throws Exception {
        IntField_norace o = new IntField_norace();
        Runnable work = () -> {
            for (int i = 0; i < 5000; i++) {
                synchronized (o) {
                    o.x++;
                }
            }
        };
        Thread t1 = new Thread(work);
        Thread t2 = new Thread(work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (o.x != 10000) throw new AssertionError(o.x);
        System.out.println("ok");
    }
}
