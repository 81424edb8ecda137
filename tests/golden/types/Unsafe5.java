// Condition 5: objects with different owners are assigned to one field.
public class Unsafe5 {
    static final Object A = new Object(), B = new Object();
    static volatile Cell5 last;

    public static void main(String[] args) {
        Cell5 x = new Cell5(), y = new Cell5();
        last = x;
        last = y;
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                synchronized (A) {
                    x.f++;
                }
                synchronized (B) {
                    y.f++;
                }
            }).start();
        }
    }
}

class Cell5 {
    int f;
}
