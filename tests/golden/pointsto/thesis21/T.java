/* Two boxes of a number, shared by the main thread and by many others: the structure of the thesis' running
   example (two levels of objects, made by one constructor in two contexts). */
public class T extends Thread {
    private Outer guarded, open;

    public static void main(String[] args) {
        Outer one = new Outer();
        Outer two = new Outer();
        for (int i = 0; i < args.length; i++) {
            T worker = new T(one, two);
            worker.start();
        }
        while (one.get() == 0) {
            synchronized (two) {
                two.set(args.length);
            }
        }
    }

    T(Outer open, Outer guarded) {
        this.open = open;
        this.guarded = guarded;
    }

    @Override
    public void run() {
        Outer a = this.open;
        Outer b = this.guarded;
        synchronized (b) {
            b.get();
        }
        a.set(1);
    }
}

class Outer {
    private Inner inner;

    Outer() {
        Inner made = new Inner();
        this.inner = made;
    }

    int get() {
        Inner here = this.inner;
        return here.get();
    }

    void set(int value) {
        Inner here = this.inner;
        here.set(value);
    }
}

class Inner {
    private int value;

    Inner() {
        this.value = 0;
    }

    int get() {
        return this.value;
    }

    void set(int value) {
        this.value = value;
    }
}
