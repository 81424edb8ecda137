// Condition 1: the owner is no final expression.
public class Unsafe1 {
    private Object lock = new Object();
    private int f;

    public static void main(String[] args) {
        Unsafe1 x = new Unsafe1();
        for (int i = 0; i < 2; i++) new Thread(x::add).start();
    }

    void add() {
        synchronized (lock) {
            f++;
        }
        lock = new Object();
    }
}
