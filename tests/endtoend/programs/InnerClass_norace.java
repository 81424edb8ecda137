// norace
// The inner objects lock their outer object before they change its private field.
public class InnerClass_norace {
    private int hits;

    class Clicker {
        void click() {
            synchronized (InnerClass_norace.this) {
                hits++;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        InnerClass_norace outer = new InnerClass_norace();
        Clicker c1 = outer.new Clicker();
        Clicker c2 = outer.new Clicker();
        Thread t1 = new Thread(() -> {
            for (int i = 0; i < 3000; i++) c1.click();
        });
        Thread t2 = new Thread(() -> {
            for (int i = 0; i < 3000; i++) c2.click();
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (outer.hits != 6000) throw new AssertionError(outer.hits);
        System.out.println("ok");
    }
}
