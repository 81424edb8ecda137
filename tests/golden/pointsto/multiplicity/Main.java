/* How many run-time threads an abstract thread stands for: one, or many if a loop, a recursion, a second
   call, or a thread of which there are many leads to its allocation. */
public class Main {
    static class Once extends Thread {
        @Override
        public void run() {
            new FromOnce().start();
        }
    }

    static class FromOnce extends Thread {
        @Override
        public void run() {}
    }

    static class Looped extends Thread {
        @Override
        public void run() {
            new FromMany().start();
        }
    }

    static class FromMany extends Thread {
        @Override
        public void run() {}
    }

    static class CalledTwice extends Thread {
        @Override
        public void run() {}
    }

    static class Recursive extends Thread {
        @Override
        public void run() {}
    }

    static class Shared extends Thread {
        @Override
        public void run() {}
    }

    static class InInitialiser extends Thread {
        @Override
        public void run() {}
    }

    static class Holder {
        static final Thread T = new InInitialiser();
    }

    static void twice() {
        new CalledTwice().start();
    }

    static void recurse(int n) {
        new Recursive().start();
        if (n > 0) recurse(n - 1);
    }

    public static void main(String[] args) {
        new Once().start();
        for (String arg : args) new Looped().start();
        twice();
        twice();
        recurse(args.length);
        Thread shared = new Shared();
        for (String arg : args)
            if (arg.isEmpty()) shared.start();
        Holder.T.start();
    }
}
