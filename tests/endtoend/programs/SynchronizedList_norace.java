// norace
// Single calls lock by themselves; the compound action and the iteration lock the list.
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

public class SynchronizedList_norace {
    public static void main(String[] args) throws Exception {
        List<Integer> list = Collections.synchronizedList(new ArrayList<>());
        Runnable work = () -> {
            for (int i = 0; i < 200; i++) {
                list.add(i);
                synchronized (list) {
                    if (list.size() > 50) list.clear();
                    int sum = 0;
                    for (int v : list) sum += v;
                }
            }
        };
        Thread t1 = new Thread(work);
        Thread t2 = new Thread(work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
