// Condition 2: an instance that no lock protects escapes to another thread.
public class Unsafe2 {
    int f;

    public static void main(String[] args) {
        Unsafe2 x = new Unsafe2();
        for (int i = 0; i < 2; i++) new Thread(() -> x.f++).start();
    }
}
