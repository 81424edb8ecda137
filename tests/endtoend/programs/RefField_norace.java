// norace
// The reference is stored before the start of the second thread and changed only after it was joined.
public class RefField_norace {
    Object ref;

    public static void main(String[] args) throws Exception {
        RefField_norace o = new RefField_norace();
        for (int i = 0; i < 50; i++) {
            Object expected = new Object();
            o.ref = expected;
            Thread t = new Thread(() -> {
                if (o.ref != expected) throw new AssertionError();
                o.ref = null;
            });
            t.start();
            t.join();
            if (o.ref != null) throw new AssertionError();
        }
        System.out.println("ok");
    }
}
