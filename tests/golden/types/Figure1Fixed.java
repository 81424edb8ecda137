// Figure 1 with the lock in both threads: value is safe.
public class Figure1Fixed {
    public static void main(String[] args) {
        FixedNode n1 = new FixedNode();
        FixedNode n2 = new FixedNode();
        n1.setValue(10);
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                synchronized (n2) {
                    n2.setValue(30);
                }
            }).start();
        }
    }
}

class FixedNode {
    int value;

    void setValue(int v) {
        value = v;
    }
}
