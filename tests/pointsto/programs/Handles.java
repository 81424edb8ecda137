import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Method handles found by constant names. */
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
    }
}
