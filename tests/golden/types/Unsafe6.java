// Condition 6: objects with different owners are passed to one parameter.
public class Unsafe6 {
    static final Object A = new Object(), B = new Object();

    public static void main(String[] args) {
        Cell6 x = new Cell6(), y = new Cell6();
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                synchronized (A) {
                    x.f++;
                }
                synchronized (B) {
                    y.f++;
                }
                show(x);
                show(y);
            }).start();
        }
    }

    static void show(Cell6 c) {
        System.out.println(c.hashCode());
    }
}

class Cell6 {
    int f;
}
