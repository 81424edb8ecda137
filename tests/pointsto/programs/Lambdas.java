import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** invokedynamic: lambdas, method references of every kind, string concatenation, records, pattern switches. */
public class Lambdas {
    interface Shape {
        void draw();
    }

    static class Circle implements Shape {
        public void draw() {
            Mark.ran();
        }
    }

    static class Square implements Shape {
        public void draw() {
            Mark.ran();
        }
    }

    static class Hidden implements Shape {
        public void draw() {
            deadHidden();
        }
    }

    static void deadHidden() {
        Mark.ran();
    }

    static class Named {
        @Override
        public String toString() {
            Mark.ran();
            return "named";
        }
    }

    record Pair(Named left, Shape right) {}

    static class Keyed {
        @Override
        public int hashCode() {
            Mark.ran();
            return 1;
        }

        @Override
        public boolean equals(Object other) {
            Mark.ran();
            return true;
        }
    }

    record Wrapped(Keyed key) {}

    final Shape own;

    Lambdas(Shape own) {
        this.own = own;
    }

    Lambdas() {
        this(new Circle());
        Mark.ran();
    }

    void viaThis(Function<Lambdas, Shape> f) {
        f.apply(this).draw();
    }

    static Shape pick(Shape a, Shape b) {
        Mark.ran();
        return a;
    }

    static <A, B, C> Function<A, C> compose(Function<A, B> f, Function<B, C> g) {
        return a -> g.apply(f.apply(a));
    }

    interface Marker {}

    /** The compiler casts such a lambda to each interface in turn. */
    static void manyInterfaces() {
        Supplier<String> both = (Supplier<String> & java.io.Serializable & Marker) () -> marked();
        both.get();
    }

    static String marked() {
        Mark.ran();
        return "";
    }

    static class Decoy implements Runnable {
        public void run() {
            deadDecoy();
        }
    }

    static void deadDecoy() {
        Mark.ran();
    }

    static Shape kept;

    static <T> void feed(Consumer<T> to, T what) {
        to.accept(what);
    }

    /** Both calls meet in feed(), which knows no types; what a lambda takes, it is. */
    static void erased() {
        feed((Shape s) -> kept = s, new Circle());
        feed((Decoy d) -> d.hashCode(), new Decoy());
        kept.draw();
        if (kept instanceof Runnable r) r.run();
    }

    public static void main(String[] args) {
        manyInterfaces();
        erased();
        Shape captured = new Square();
        Runnable plain = () -> captured.draw();
        plain.run();
        Runnable bound = captured::draw;
        bound.run();
        BiFunction<Shape, Shape, Shape> statically = Lambdas::pick;
        statically.apply(new Circle(), new Square()).draw();
        Supplier<Lambdas> maker = Lambdas::new;
        maker.get().viaThis(self -> self.own);
        IntFunction<Shape[]> array = Shape[]::new;
        array.apply(1)[0] = captured;
        compose((Integer i) -> new Circle(), (Shape s) -> s).apply(3).draw();
        Function<Object, Object> identity = Function.identity();
        ((Shape) identity.apply(captured)).draw();
        String text = "a" + new Named() + args.length;
        text += new Pair(new Named(), captured);
        System.out.println(text.length() + new Wrapped(new Keyed()).hashCode());
        System.out.println(new Wrapped(new Keyed()).equals(new Wrapped(new Keyed())));
        Hidden[] none = new Hidden[0];
        for (Hidden h : none) h.draw();
    }
}
