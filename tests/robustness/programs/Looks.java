import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Comparator;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Supplier;

/** Prints everything that a program can see of its own classes; it must print the same with and without the agent. */
public class Looks {
    interface Shape {
        int SIDES = 4;

        default int sides() {
            return SIDES;
        }
    }

    @Deprecated
    static class Plain implements Serializable, Shape, Cloneable {
        private int number = 1;
        protected static String text = "static";
        public volatile long flag = 7;
        transient double skipped = 2;
        final int fixed = 3;
        private int[] cells = {1, 2, 3};

        synchronized void locked() {
            number++;
        }

        private static strictfp double helper(double x) {
            return x * 2;
        }

        @Override protected Plain clone() throws CloneNotSupportedException {
            return (Plain) super.clone();
        }
    }

    static class Child extends Plain {
        private Plain other = new Plain();
        String name = "child";
    }

    static class OldForm implements Serializable {
        private static final long serialVersionUID = 42;
        int a = 5;
    }

    record Point(int x, int y, String label) implements Serializable {
        static int made;

        Point {
            made++;
        }
    }

    enum Color implements Supplier<String> {
        RED, GREEN {
            @Override public String get() {
                return "leaf";
            }
        };

        int uses;

        @Override public String get() {
            uses++;
            return name().toLowerCase();
        }
    }

    class Inner {
        int depth = 1;

        int up() {
            return depth + outer;
        }
    }

    private int outer = 10;

    static void show(Class<?> c) {
        System.out.println(Modifier.toString(c.getModifiers()) + " " + c + " " + c.getModifiers() + " synthetic "
            + c.isSynthetic() + " record " + c.isRecord() + " enum " + c.isEnum());
        print("field", c.getDeclaredFields());
        print("public field", c.getFields());
        print("method", c.getDeclaredMethods());
        print("public method", c.getMethods());
        print("constructor", c.getDeclaredConstructors());
        print("class", c.getDeclaredClasses());
        print("interface", c.getInterfaces());
        print("annotation", c.getDeclaredAnnotations());
        for (Field f : sorted(c.getDeclaredFields())) System.out.println(f + " " + f.getModifiers() + " " + f.isSynthetic());
        ObjectStreamClass s = ObjectStreamClass.lookupAny(c);
        System.out.println("serial " + s.getSerialVersionUID());
        for (ObjectStreamField f : s.getFields()) System.out.println("serial field " + f);
    }

    static Field[] sorted(Field[] fields) {
        Arrays.sort(fields, Comparator.comparing(Field::toString));
        return fields;
    }

    static void print(String what, Object[] members) {
        String[] lines = Arrays.stream(members).map(String::valueOf).sorted().toArray(String[]::new);
        for (String line : lines) System.out.println("  " + what + " " + line);
    }

    static Object roundTrip(Object o) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(o);
        }
        System.out.println(o.getClass() + " in " + bytes.size() + " bytes, " + Arrays.hashCode(bytes.toByteArray()));
        return new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
    }

    static void serialize() throws Exception {
        Child child = new Child();
        child.locked();
        Child back = (Child) roundTrip(child);
        System.out.println(back.name + ((Plain) back).number + back.flag + back.skipped + Arrays.toString(((Plain) back).cells));
        System.out.println(((OldForm) roundTrip(new OldForm())).a);
        System.out.println(roundTrip(new Point(1, 2, "p")));
        System.out.println(roundTrip(Color.GREEN) == Color.GREEN);
    }

    static void records() throws Exception {
        Point p = new Point(3, 4, "q");
        System.out.println(p + " " + p.hashCode() + " " + p.equals(new Point(3, 4, "q")) + " " + Point.made);
        for (RecordComponent c : Point.class.getRecordComponents()) System.out.println(c + " " + c.getAccessor().invoke(p));
        for (Color c : Color.values()) System.out.println(c + " " + c.ordinal() + " " + c.get() + " " + c.uses + " " + c.getDeclaringClass());
        System.out.println(Color.valueOf("RED"));
    }

    static void reach() throws Exception {
        VarHandle v = MethodHandles.privateLookupIn(Plain.class, MethodHandles.lookup()).findVarHandle(Plain.class, "number", int.class);
        Plain p = new Plain();
        System.out.println(v.getAndAdd(p, 5) + " " + p.number);
        AtomicIntegerFieldUpdater<Counter> u = AtomicIntegerFieldUpdater.newUpdater(Counter.class, "n");
        Counter c = new Counter();
        System.out.println(u.incrementAndGet(c) + " " + c.n);
        Field f = Plain.class.getDeclaredField("number");
        f.setAccessible(true);
        f.setInt(p, 9);
        System.out.println(f.getInt(p) + " " + p.clone().number + " " + Plain.helper(2));
        System.out.println(new Looks().new Inner().up());
        Object proxy = Proxy.newProxyInstance(Looks.class.getClassLoader(), new Class<?>[] {Supplier.class}, (o, m, a) -> m.getName());
        System.out.println(((Supplier<?>) proxy).get());
        Supplier<String> lambda = () -> "lambda " + p.number;
        System.out.println(lambda.get() + " " + lambda.getClass().isHidden() + " " + lambda.getClass().isSynthetic());
        try {
            Plain.class.getDeclaredField("missing");
        } catch (NoSuchFieldException e) {
            System.out.println(e);
        }
    }

    static class Counter {
        volatile int n;
    }

    static void traces() {
        for (int kind = 0; kind < 6; kind++) {
            try {
                fail(kind, null, new int[2]);
            } catch (RuntimeException | StackOverflowError e) {
                System.out.println(e);
                if (e instanceof StackOverflowError) continue;
                for (StackTraceElement frame : e.getStackTrace()) System.out.println("    at " + frame);
            }
        }
    }

    static int fail(int kind, Plain p, int[] cells) {
        switch (kind) {
            case 0: return p.number;
            case 1: return cells[2];
            case 2: p.number = 4; return 0;
            case 3: return ((int[]) null)[0];
            case 4: return ((Child) (Object) new Plain()).name.length();
            default: return fail(5, p, cells) + 1;
        }
    }

    public static void main(String[] args) throws Exception {
        for (Class<?> c : new Class<?>[] {Plain.class, Child.class, OldForm.class, Point.class, Color.class, Shape.class,
                Inner.class, Looks.class, Counter.class}) show(c);
        serialize();
        records();
        reach();
        traces();
        // Some names of the JDK, whose classes change as well.
        for (Class<?> c : new Class<?>[] {Thread.class, TreeMap.class, java.util.concurrent.locks.ReentrantLock.class,
                java.util.concurrent.ConcurrentHashMap.class, java.util.concurrent.FutureTask.class}) show(c);
        System.out.println("ok");
    }
}
