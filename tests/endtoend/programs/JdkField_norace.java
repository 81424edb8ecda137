// norace
// The inherited JDK field is only changed by a synchronized method.
import java.util.AbstractList;

public class JdkField_norace {
    static class Numbers extends AbstractList<Integer> {
        public Integer get(int i) {
            return i;
        }

        public int size() {
            return 4;
        }

        synchronized void touch() {
            modCount++;
        }
    }

    public static void main(String[] args) throws Exception {
        Numbers n = new Numbers();
        Runnable work = () -> {
            for (int i = 0; i < 2000; i++) n.touch();
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
