// norace
// The lambda takes the lock that it captured before it changes the captured array.
public class LambdaBox_norace {
    public static void main(String[] args) throws Exception {
        int[] count = new int[1];
        Object lock = new Object();
        Runnable bump = () -> {
            synchronized (lock) {
                count[0]++;
            }
        };
        Runnable work = () -> {
            for (int i = 0; i < 3000; i++) bump.run();
        };
        Thread t1 = new Thread(work);
        Thread t2 = new Thread(work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (count[0] != 6000) throw new AssertionError(count[0]);
        System.out.println("ok");
    }
}
