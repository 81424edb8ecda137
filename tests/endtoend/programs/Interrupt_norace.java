// norace
// An interrupt happens before the other thread notices it: by polling, in sleep, in wait and in join.
public class Interrupt_norace {
    static int data;

    interface Waiter {
        void await() throws InterruptedException;
    }

    static void check(Waiter waiter) throws InterruptedException {
        data = 0;
        Thread t = new Thread(() -> {
            try {
                waiter.await();
            } catch (InterruptedException e) {
                data++;
            }
        });
        t.start();
        data++;
        t.interrupt();
        t.join();
        if (data != 2) throw new AssertionError(data);
    }

    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        Thread main = Thread.currentThread();
        for (int i = 0; i < 10; i++) {
            check(() -> {
                while (!Thread.interrupted()) Thread.yield();
                throw new InterruptedException();
            });
            check(() -> {
                while (!Thread.currentThread().isInterrupted()) Thread.yield();
                throw new InterruptedException();
            });
            check(() -> Thread.sleep(10_000));
            check(() -> {
                synchronized (lock) {
                    while (true) lock.wait();
                }
            });
            check(() -> main.join());
        }
        System.out.println("ok");
    }
}
