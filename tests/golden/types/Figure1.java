// Figure 1 of the paper: n1 is its thread's own, n2 guards itself; value is race-unsafe because of n2.setValue(20).
public class Figure1 {
    public static void main(String[] args) {
        Node n1 = new Node();
        Node n2 = new Node();
        n1.setValue(10);
        new Thread(() -> n2.setValue(20)).start();
        new Thread(() -> {
            synchronized (n2) {
                n2.setValue(30);
            }
        }).start();
    }
}

class Node {
    int value;

    void setValue(int v) {
        value = v;
    }
}
