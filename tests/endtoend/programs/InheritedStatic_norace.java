// norace
// Data handed over by a static volatile field of a superclass, which both sides name through subclasses.
public class InheritedStatic_norace {
    static class Base {
        static volatile boolean ready;
        static int handed;
    }

    static class Mid extends Base {
    }

    static class Left extends Mid {
        static void give() {
            handed = 7;
            ready = true;
        }
    }

    static class Right extends Base {
        static int take() {
            while (!ready) Thread.onSpinWait();
            return handed++;
        }
    }

    public static void main(String[] args) throws Exception {
        int[] got = new int[1];
        Thread taker = new Thread(() -> got[0] = Right.take());
        Thread giver = new Thread(Left::give);
        taker.start();
        giver.start();
        taker.join();
        giver.join();
        System.out.println(got[0] == 7 ? "ok" : "got " + got[0]);
    }
}
