/** Class initialisers, arguments of main, interfaces with initialisers, exceptions of the VM. */
public class Starts {
    static class Lazy {
        static A made = new A();

        static {
            initialised();
        }

        static void initialised() {
            Mark.ran();
        }
    }

    static class Parent {
        static {
            parent();
        }

        static void parent() {
            Mark.ran();
        }
    }

    static class Child extends Parent {
        static int n = args();

        static int args() {
            Mark.ran();
            return 1;
        }
    }

    static class Never {
        static {
            deadNever();
        }

        static void deadNever() {
            Mark.ran();
        }
    }

    interface WithDefault {
        A CONSTANT = constant();

        static A constant() {
            Mark.ran();
            return new A();
        }

        default void hello() {
            Mark.ran();
        }
    }

    static class Impl implements WithDefault {}

    static class A {
        void use() {
            Mark.ran();
        }
    }

    static void caught(Exception e) {
        Mark.ran();
        e.getMessage();
    }

    static void viaNull(NullPointerException e) {
        Mark.ran();
    }

    public static void main(String[] args) {
        Lazy.made.use();
        System.out.println(Child.n + args.length);
        new Impl().hello();
        try {
            ((A) null).use();
        } catch (NullPointerException e) {
            viaNull(e);
        }
        try {
            Integer.parseInt("x");
        } catch (Exception e) {
            caught(e);
        }
    }
}
