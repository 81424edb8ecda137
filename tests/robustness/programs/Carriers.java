import java.util.concurrent.CountDownLatch;

/** Virtual threads with arrays and monitors that nobody has seen before: the agent has something to make for all of them at once. */
public class Carriers {
    static int total;

    static int work() {
        int sum = 0;
        for (int i = 0; i < 20; i++) {
            int[] mine = {i, 20};
            Object lock = new Object();
            synchronized (lock) {
                sum += mine[i & 1];
            }
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]);
        for (int round = 0; round < 20; round++) {
            CountDownLatch done = new CountDownLatch(threads);
            for (int i = 0; i < threads; i++) {
                Thread.startVirtualThread(() -> {
                    int sum = work();
                    Thread.yield();
                    sum += work();
                    synchronized (Carriers.class) {
                        total += sum;
                    }
                    done.countDown();
                });
            }
            done.await();
        }
        System.out.println("ok");
    }
}
