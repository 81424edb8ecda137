// Races that stand close to the proof that a thread never takes a branch, because of what it passes.  Each class has one.
public class NearBranches {
    public static void main(String[] args) {
        SameBranch.run(args);
        PassesBoth.run(args);
        OutOfArray.run(args);
        Counted.run(args);
        SetLater.run(args);
        Negated.run(args);
        FallsThrough.run(args);
        InHandler.run(args);
        OfAnother.run(args);
        FromField.run(args);
    }
    /** Two texts of one hash, and the same one in both threads. */
    static class SameBranch {
        static int x;
        static void step(String op) {
            switch (op) {
                case "Aa": x = 1; break;
                case "BB": break;
                default: throw new AssertionError();
            }
        }
        static void run(String[] a) {
            new Thread(() -> { step("BB"); step("Aa"); }).start();
            new Thread(() -> step("Aa")).start();
        }
    }
    /** One thread passes both. */
    static class PassesBoth {
        static int x;
        static void step(boolean set) {
            if (set) x = 1;
        }
        static void run(String[] a) {
            new Thread(() -> step(true)).start();
            new Thread(() -> { step(false); step(a.length == 0); }).start();
        }
    }
    /** The text comes out of an array. */
    static class OutOfArray {
        static int x;
        static void step(String op) {
            if (op.equals("set")) x = 1;
        }
        static void run(String[] a) {
            String[] ops = {"get", "set"};
            new Thread(() -> step("set")).start();
            new Thread(() -> { for (String op : ops) step(op); }).start();
        }
    }
    /** The number changes from round to round. */
    static class Counted {
        static int x;
        static void step(int op) {
            if (op == 1) x = 1;
        }
        static void run(String[] a) {
            new Thread(() -> step(1)).start();
            new Thread(() -> { for (int i = 0; i < 2; i++) step(i); }).start();
        }
    }
    /** The method changes what it was given. */
    static class SetLater {
        static int x;
        static void step(boolean set) {
            for (int i = 0; i < 2; i++) {
                if (set) x = 1;
                set = true;
            }
        }
        static void run(String[] a) {
            new Thread(() -> step(true)).start();
            new Thread(() -> step(false)).start();
        }
    }
    /** On the way it is turned round. */
    static class Negated {
        static int x;
        static void step(boolean set) {
            if (set) x = 1;
        }
        static void turn(boolean keep) {
            step(!keep);
        }
        static void run(String[] a) {
            new Thread(() -> step(true)).start();
            new Thread(() -> turn(false)).start();
        }
    }
    /** One case goes on into the next. */
    static class FallsThrough {
        static int x;
        static void step(int op) {
            switch (op) {
                case 1: op++;
                case 2: x = 1; break;
                default: break;
            }
        }
        static void run(String[] a) {
            new Thread(() -> step(1)).start();
            new Thread(() -> step(2)).start();
        }
    }
    /** The handler is on another way to the branch. */
    static class InHandler {
        static int x;
        static void step(int op, String number) {
            try {
                Integer.parseInt(number);
            } catch (NumberFormatException e) {
                op = 1;
            }
            if (op == 1) x = 1;
        }
        static void run(String[] a) {
            new Thread(() -> step(1, "1")).start();
            new Thread(() -> step(0, a[0])).start();
        }
    }
    /** The thread runs what another method has made as well. */
    static class OfAnother {
        static int x;
        static Runnable other = () -> { };
        static void step(int op) {
            if (op == 1) x = 1;
        }
        static void run(String[] a) {
            other = () -> step(1);
            new Thread(() -> step(1)).start();
            new Thread(() -> { step(0); other.run(); }).start();
        }
    }
    /** A field holds it, which does not stay as it was. */
    static class FromField {
        static int x;
        static volatile int op;
        static void step(int op) {
            if (op == 1) x = 1;
        }
        static void run(String[] a) {
            op = a.length;
            new Thread(() -> step(1)).start();
            new Thread(() -> step(op)).start();
        }
    }
}
