// norace
// The list is filled by one thread and, after that thread was joined, drained by another.
import java.util.LinkedList;

public class LinkedList_norace {
    public static void main(String[] args) throws Exception {
        LinkedList<Integer> list = new LinkedList<>();
        Thread filler = new Thread(() -> {
            for (int i = 0; i < 100; i++) list.addLast(i);
        });
        filler.start();
        Thread drainer = new Thread(() -> {
            try {
                filler.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            for (int i = 0; i < 100; i++) {
                if (list.removeFirst() != i) throw new AssertionError(i);
            }
        });
        drainer.start();
        drainer.join();
        if (!list.isEmpty()) throw new AssertionError();
        System.out.println("ok");
    }
}
