import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Method handles found by constant names, and one that is not. */
public class Handles {
    static class A {
        void direct() {
            Mark.ran();
        }

        void passed() {
            Mark.ran();
        }
    }

    static void statically(A a) {
        a.passed();
    }

    abstract static class Made {
        abstract void go();
    }

    static class ByName extends Made {
        @Override
        void go() {
            Mark.ran();
        }
    }

    /* A class that is known only at run time: the type of the call says what may come out. */
    static Made make(MethodHandles.Lookup lookup, String name) throws Throwable {
        MethodType none = MethodType.methodType(void.class);
        MethodHandle ctor = lookup.findConstructor(Class.forName("Handles$" + name), none);
        return (Made) ctor.asType(MethodType.methodType(Made.class)).invokeExact();
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle virtual = lookup.findVirtual(A.class, "direct", MethodType.methodType(void.class));
        virtual.invokeExact(new A());
        MethodHandle st =
            lookup.findStatic(Handles.class, "statically", MethodType.methodType(void.class, A.class));
        st.invoke(new A());
        MethodHandle ctor = lookup.findConstructor(A.class, MethodType.methodType(void.class));
        A made = (A) ctor.invoke();
        made.direct();
        make(lookup, args.length == 0 ? "ByName" : args[0]).go();
    }
}
