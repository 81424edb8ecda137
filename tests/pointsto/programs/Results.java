import java.util.Objects;

/** Methods that return one of their parameters: the result is what this call passed. */
public class Results {
    static class Chain {
        Chain next() {
            return this;
        }

        void use() {
            Mark.ran();
        }
    }

    static class Other extends Chain {
        @Override
        void use() {
            deadUse();
        }

        void deadUse() {
            Mark.ran();
        }
    }

    static class Left {
        void use() {
            Mark.ran();
        }
    }

    static class Right {
        void use() {
            Mark.ran();
        }
    }

    static Object pick(Object first, Object second) {
        Mark.ran();
        return second;
    }

    static Object either(boolean one, Object first, Object second) {
        return one ? first : second;
    }

    interface Text {
        void into(StringBuilder b);
    }

    public static void main(String[] args) {
        pick(null, new Other());
        ((Chain) pick(null, new Chain())).next().next().use();
        ((Right) pick(new Left(), new Right())).use();
        ((Left) either(true, new Left(), new Right())).use();
        Object left = Objects.requireNonNull(new Left());
        if (left instanceof Right) ((Right) left).use();
        Text text = b -> b.append('x').append("y").insert(0, 1);
        StringBuilder b = new StringBuilder();
        text.into(b);
        System.out.println(b);
    }
}
