// norace
// A synchronized method and a block that are always left by an exception still release their lock.
public class ExceptionExit_norace {
    static int x;

    static synchronized void method() {
        x++;
        throw new IllegalStateException();
    }

    static void block(int[] none) {
        synchronized (ExceptionExit_norace.class) {
            x++;
            none[x] = 1;
        }
    }

    public static void main(String[] args) throws Exception {
        Runnable work = () -> {
            for (int i = 0; i < 500; i++) {
                try {
                    method();
                } catch (IllegalStateException e) {
                }
                try {
                    block(null);
                } catch (NullPointerException e) {
                }
            }
        };
        Thread t1 = new Thread(work);
        Thread t2 = new Thread(work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (x != 2000) throw new AssertionError(x);
        System.out.println("ok");
    }
}
