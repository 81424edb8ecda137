import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.function.Supplier;

/** Records, sealed types, nest mates, string concatenation and type annotations in code. */
public class Modern {
    @Target(ElementType.TYPE_USE)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Here {
        String value() default "x";
    }

    sealed interface Shape permits Circle, Square {}

    record Circle(@Here double radius) implements Shape {}

    record Square(double side) implements Shape {}

    private int count;

    static double area(Shape s) {
        if (s instanceof Circle c) return 3 * c.radius() * c.radius();
        return s instanceof Square q ? q.side() * q.side() : 0;
    }

    String describe(Object o) {
        @Here("local") Object copy = (@Here Object) o;
        Supplier<String> late = () -> "got " + copy + " " + count++;
        return switch (count) {
            case 1, 2 -> late.get();
            case 1000 -> "many";
            default -> {
                try (AutoCloseable c = () -> count--) {
                    yield new @Here String("n" + count);
                } catch (@Here Exception e) {
                    yield e.getMessage();
                }
            }
        };
    }
}
