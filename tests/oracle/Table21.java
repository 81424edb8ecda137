/* The structure of the thesis' running example (Figure 2.1); the comments are its labels. */
public class Table21 extends Thread {
    private Pair first, second;

    public static void main(String[] args) {
        Pair one = new Pair(); // h1
        Pair two = new Pair(); // h2
        for (int i = 0; i < args.length; i++) {
            Table21 worker = new Table21(one, two); // h3
            worker.start();
        }
        while (one.get() == 0) {
            synchronized (two) {
                two.set(args.length);
            }
        }
    }

    Table21(Pair one, Pair two) {
        this.first = one; // e1
        this.second = two; // e2
    }

    @Override
    public void run() {
        Pair one = this.first; // e3
        Pair two = this.second; // e4
        synchronized (two) {
            two.get();
        }
        one.set(1);
    }
}

class Pair {
    private Value value;

    Pair() {
        Value made = new Value(); // h4
        this.value = made; // e5
    }

    int get() {
        Value here = this.value; // e6
        return here.get();
    }

    void set(int i) {
        Value here = this.value; // e7
        here.set(i);
    }
}

class Value {
    private int number;

    Value() {
        this.number = 0; // e8
    }

    int get() {
        return this.number; // e9
    }

    void set(int i) {
        this.number = i; // e10
    }
}
