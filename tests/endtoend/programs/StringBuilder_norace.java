// norace
// A builder may be shared under a lock; a StringBuffer locks by itself.
public class StringBuilder_norace {
    public static void main(String[] args) throws Exception {
        StringBuilder builder = new StringBuilder();
        StringBuffer buffer = new StringBuffer();
        Runnable work = () -> {
            for (int i = 0; i < 500; i++) {
                synchronized (buffer) {
                    builder.append('x');
                }
                buffer.append('y');
            }
        };
        Thread t1 = new Thread(work);
        Thread t2 = new Thread(work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (builder.length() != 1000 || buffer.length() != 1000) throw new AssertionError(builder.length());
        System.out.println("ok");
    }
}
