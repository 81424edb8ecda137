// The crawler case of SWORD: the queue is replaced by a check point read before the thread starts. No race on it.
import java.util.ArrayList;
import java.util.List;

public class Spider implements Runnable {
    private List<String> queue = new ArrayList<>();

    public static void main(String[] args) {
        Spider spider = new Spider();
        spider.readCheckpoint();
        spider.start();
    }

    void readCheckpoint() {
        queue = new ArrayList<>(List.of("a", "b"));
    }

    void start() {
        Thread t = new Thread(this, "thread 1");
        t.start();
    }

    @Override
    public void run() {
        synchronized (queue) {
            queue.remove(0);
        }
    }
}
