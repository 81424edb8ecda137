// norace
// Adding and iterating both hold the list's monitor.
import java.util.ArrayList;
import java.util.List;

public class ArrayList_norace {
    public static void main(String[] args) throws Exception {
        List<Integer> list = new ArrayList<>();
        Thread t1 = new Thread(() -> {
            for (int i = 0; i < 300; i++) {
                synchronized (list) {
                    list.add(i);
                }
            }
        });
        Thread t2 = new Thread(() -> {
            for (int i = 0; i < 100; i++) {
                synchronized (list) {
                    int expected = 0;
                    for (int v : list) {
                        if (v != expected++) throw new AssertionError(v);
                    }
                }
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (list.size() != 300) throw new AssertionError(list.size());
        System.out.println("ok");
    }
}
