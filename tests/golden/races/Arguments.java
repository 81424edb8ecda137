// One method runs in both threads: with an object of each thread's own, and with one that both have.
public class Arguments {
    static final class Own {
        int v;
    }

    static final class Common {
        int v;
    }

    static final class Adder {
        void own(Own o) {
            o.v++;
        }

        void common(Common c) {
            c.v++; // race
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Own a = new Own(), b = new Own();
        Common c = new Common(), d = args.length > 0 ? new Common() : c;
        Adder adder = new Adder();
        Thread t1 = new Thread(() -> {
            adder.own(a);
            adder.common(c);
        });
        Thread t2 = new Thread(() -> {
            adder.own(b);
            adder.common(d);
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (a.v + b.v != 2) throw new AssertionError();
    }
}
