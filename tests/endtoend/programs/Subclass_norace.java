// norace
// Subclasses of collections that lock in their own methods, and one that is used under a lock.
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;

public class Subclass_norace {
    static class Safe extends ArrayList<Integer> {
        @Override
        public synchronized boolean add(Integer i) {
            return super.add(i);
        }

        @Override
        public synchronized int size() {
            return super.size();
        }
    }

    static class Plain extends ArrayList<Integer> {
        void once(int i) {
            synchronized (this) {
                if (!contains(i)) super.add(i);
            }
        }
    }

    static final Map<String, Integer> CONSTANTS = new HashMap<>() {{
        put("one", 1);
    }};
    static final Safe SAFE = new Safe();
    static final Plain PLAIN = new Plain();

    static void work() {
        for (int i = 0; i < 200; i++) {
            SAFE.add(i);
            PLAIN.once(i);
            synchronized (PLAIN) {
                if (PLAIN.isEmpty() || SAFE.size() == 0 || CONSTANTS.get("one") != 1) throw new AssertionError();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread t1 = new Thread(Subclass_norace::work);
        Thread t2 = new Thread(Subclass_norace::work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (SAFE.size() != 400 || PLAIN.size() != 200) throw new AssertionError(SAFE.size());
        System.out.println("ok");
    }
}
