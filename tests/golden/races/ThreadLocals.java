// What a thread-local variable holds is its thread's own, unless the thread gives it away.
public class ThreadLocals {
    static final class Box {
        int own;
    }

    static final class Gift {
        int v;
    }

    static final ThreadLocal<Box> OWN = ThreadLocal.withInitial(Box::new);
    static final ThreadLocal<Gift> GIVEN = ThreadLocal.withInitial(Gift::new);
    static volatile Gift gift;

    public static void main(String[] args) throws InterruptedException {
        Thread[] threads = new Thread[2];
        for (int i = 0; i < 2; i++) {
            threads[i] = new Thread(() -> {
                OWN.get().own++;
                GIVEN.get().v++; // race: the other thread has found it by now
                gift = GIVEN.get();
                gift.v++;
            });
            threads[i].start();
        }
        for (Thread t : threads) t.join();
    }
}
