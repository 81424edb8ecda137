import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/** Reflection with constant names and casts. */
public class Reflections {
    interface Plugin {
        void go();
    }

    public static class ByName implements Plugin {
        static {
            System.out.println("initialised");
        }

        public void go() {
            Mark.ran();
        }
    }

    public static class FromAfar implements Plugin {
        public void go() {
            Mark.ran();
        }
    }

    public static class ByConstructor implements Plugin {
        final A a;

        public ByConstructor(A a) {
            this.a = a;
        }

        public void go() {
            a.use();
        }
    }

    public static class A {
        public A held;

        public void use() {
            Mark.ran();
        }

        public void invoked(A other) {
            other.passed();
        }

        public static void invokedStatically() {
            Mark.ran();
        }

        void passed() {
            Mark.ran();
        }

        void heldUse() {
            Mark.ran();
        }
    }

    enum Colour {
        RED,
        BLUE;

        void show() {
            Mark.ran();
        }
    }

    static Plugin load(String name) throws Exception {
        return (Plugin) Class.forName(name).getDeclaredConstructor().newInstance();
    }

    static void deadUnknown() {
        Mark.ran();
    }

    public static class Unused implements Plugin {
        public void go() {
            deadUnknown();
        }
    }

    public static int number() {
        Mark.ran();
        return 7;
    }

    /** A primitive result comes as a box, and a member knows its class. */
    static void boxes() throws Exception {
        java.lang.reflect.Method m = Reflections.class.getMethod("number");
        if (((Integer) m.invoke(null)).intValue() != 7) throw new AssertionError();
        if (m.getDeclaringClass().isInterface() || m.getReturnType().isArray()) throw new AssertionError();
    }

    public static String text = "text";
    public static Class<?> type = A.class;

    /** A field of a class that is not known: what its value is cast to says what to expect. */
    static void unknownFields(String name) throws Exception {
        Class<?> cls = Class.forName("Reflect" + name);
        if (((String) cls.getField("text").get(null)).isEmpty()) throw new AssertionError();
        if (((Class<?>) cls.getField("type").get(null)).isInterface()) throw new AssertionError();
    }

    public static void main(String[] args) throws Exception {
        boxes();
        unknownFields(args.length == 0 ? "ions" : args[0]);
        ((Plugin) Class.forName("Reflections$ByName").getDeclaredConstructor().newInstance()).go();
        load("Reflections$FromAfar").go();
        Constructor<ByConstructor> c = ByConstructor.class.getConstructor(A.class);
        c.newInstance(new A()).go();
        Method m = A.class.getMethod("invoked", A.class);
        m.invoke(new A(), new A());
        A.class.getMethod("invokedStatically").invoke(null);
        Field f = A.class.getField("held");
        A holder = new A();
        f.set(holder, new A());
        ((A) f.get(holder)).heldUse();
        for (Colour colour : Colour.class.getEnumConstants()) colour.show();
        Colour.valueOf("RED").show();
    }
}
