import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/** Which object a lock is: wrappers that lock by themselves, one of two new objects, values that exist once. */
public class Guards {
    static int chosen, crossed, captured, perThread;

    /** The wrapper's lock, also while it reads its argument or is copied. */
    static void wrapperOk() {
        List<Integer> list = Collections.synchronizedList(new ArrayList<>());
        List<Integer> source = new ArrayList<>();
        Thread t1 = new Thread(() -> {
            list.add(1);
            list.addAll(source);
            new ArrayList<>(list).size();
        });
        Thread t2 = new Thread(() -> {
            list.add(2);
            synchronized (list) {
                source.add(1);
                for (int i : list) System.out.println(i);
            }
        });
        t1.start();
        t2.start();
    }

    /** A set's constructor iterates, which no wrapper locks for; and the argument is changed without the lock. */
    static void wrapperBad() {
        Map<Integer, Integer> map = Collections.synchronizedMap(new HashMap<>());
        Map<Integer, Integer> source = new HashMap<>();
        Thread t1 = new Thread(() -> {
            map.put(1, 1);
            map.putAll(source);
        });
        Thread t2 = new Thread(() -> {
            new HashSet<>(map.keySet()).size();
            source.put(1, 1);
        });
        t1.start();
        t2.start();
    }

    static void alternativesOk(boolean first) {
        Object lock = first ? new int[1] : new long[1];
        Thread t1 = new Thread(() -> {
            synchronized (lock) {
                chosen++;
            }
        });
        Thread t2 = new Thread(() -> {
            synchronized (lock) {
                chosen++;
            }
        });
        t1.start();
        t2.start();
    }

    /** Both objects exist, and each thread may have the other one. */
    static void alternativesBad(boolean first) {
        Object x = new int[1], y = new long[1];
        Object one = first ? x : y, other = first ? y : x;
        Thread t1 = new Thread(() -> {
            synchronized (one) {
                crossed++;
            }
        });
        Thread t2 = new Thread(() -> {
            synchronized (other) {
                crossed++;
            }
        });
        t1.start();
        t2.start();
    }

    /** Builders are not told apart, but what one function object captured is one of them. */
    static void capturedOk() {
        StringBuffer lock = new StringBuffer();
        Runnable work = () -> {
            synchronized (lock) {
                captured++;
            }
        };
        Thread t1 = new Thread(work), t2 = new Thread(work);
        t1.start();
        t2.start();
    }

    /** Each thread has a lock of its own. */
    static void capturedBad() {
        for (int i = 0; i < 2; i++) {
            StringBuffer lock = new StringBuffer();
            new Thread(() -> {
                synchronized (lock) {
                    perThread++;
                }
            }).start();
        }
    }

    public static void main(String[] args) {
        wrapperOk();
        wrapperBad();
        alternativesOk(args.length == 0);
        alternativesBad(args.length == 0);
        capturedOk();
        capturedBad();
    }
}
