// norace
// Several threads read at once; the field is written only before their start and after their end.
public class ReadShared_norace {
    static int x;

    public static void main(String[] args) throws Exception {
        for (int round = 1; round <= 10; round++) {
            int expected = round;
            x = round;
            Thread[] readers = new Thread[4];
            for (int i = 0; i < readers.length; i++) {
                readers[i] = new Thread(() -> {
                    for (int n = 0; n < 200; n++) {
                        if (x != expected) throw new AssertionError(x);
                    }
                });
            }
            for (Thread t : readers) t.start();
            for (Thread t : readers) t.join();
        }
        System.out.println("ok");
    }
}
