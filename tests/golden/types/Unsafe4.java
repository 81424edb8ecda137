// Condition 4: an instance is used after the only reference to it was handed over.
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

public class Unsafe4 {
    int f;

    public static void main(String[] args) {
        BlockingQueue<Unsafe4> queue = new ArrayBlockingQueue<>(10);
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                try {
                    Unsafe4 x = new Unsafe4();
                    queue.put(x);
                    x.f = 1;
                    queue.take().f = 2;
                } catch (InterruptedException e) {
                    return;
                }
            }).start();
        }
    }
}
