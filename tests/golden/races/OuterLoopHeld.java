// Nested loops, case (B): what is made in the inner loop points to the outer object, which many then hold: the lock
// on the holder proves nothing.
public class OuterLoopHeld extends Thread {
    static class Outer { int value; }
    static class Inner { Outer out; }
    static volatile Inner shared;

    public static void main(String[] args) {
        for (int i = 0; i < args.length; i++) {
            Outer o = new Outer();
            for (int k = 0; k < args.length; k++) {
                Inner n = new Inner();
                n.out = o;
                shared = n;
                new OuterLoopHeld().start();
            }
        }
    }

    @Override
    public void run() {
        Inner n = shared;
        synchronized (n) {
            n.out.value++; // e
        }
    }
}
