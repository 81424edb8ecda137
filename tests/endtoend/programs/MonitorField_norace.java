// norace
// One monitor, taken by a method of its class, by a method of the class above, and as a plain object.
public class MonitorField_norace {
    static final Model MODEL = new Model();
    static int x;

    static class Base {
        synchronized void add() {
            x++;
        }
    }

    static class Model extends Base {
        void addToo() throws InterruptedException {
            synchronized (this) {
                wait(1);
                x++;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Object plain = MODEL;
        Thread t1 = new Thread(() -> {
            for (int i = 0; i < 1000; i++) MODEL.add();
        });
        Thread t2 = new Thread(() -> {
            for (int i = 0; i < 1000; i++) {
                synchronized (plain) {
                    x++;
                }
            }
        });
        t1.start();
        t2.start();
        for (int i = 0; i < 5; i++) MODEL.addToo();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
