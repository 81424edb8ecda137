// norace
// A bounded buffer of the classic kind: a deque guarded by wait and notify.
import java.util.ArrayDeque;

public class ArrayDeque_norace {
    interface Body {
        void run() throws Exception;
    }

    static Thread thread(Body body) {
        return new Thread(() -> {
            try {
                body.run();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    public static void main(String[] args) throws Exception {
        ArrayDeque<Integer> deque = new ArrayDeque<>();
        Thread t1 = thread(() -> {
            for (int i = 0; i < 300; i++) {
                synchronized (deque) {
                    while (deque.size() == 4) deque.wait();
                    deque.addLast(i);
                    deque.notifyAll();
                }
            }
        });
        Thread t2 = thread(() -> {
            for (int i = 0; i < 300; i++) {
                synchronized (deque) {
                    while (deque.isEmpty()) deque.wait();
                    if (deque.removeFirst() != i) throw new AssertionError(i);
                    deque.notifyAll();
                }
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
