// Nested loops, case (A): the outer object holds what is made in the inner loop, and is the lock for it.
public class InnerLoopHolder extends Thread {
    static class Outer { Inner in; }
    static class Inner { int value; }
    static volatile Outer shared;

    public static void main(String[] args) {
        for (int i = 0; i < args.length; i++) {
            Outer o = new Outer();
            for (int k = 0; k < args.length; k++) {
                Inner n = new Inner();
                o.in = n;
            }
            shared = o;
            new InnerLoopHolder().start();
        }
    }

    @Override
    public void run() {
        Outer o = shared;
        synchronized (o) {
            o.in.value++; // e
        }
    }
}
