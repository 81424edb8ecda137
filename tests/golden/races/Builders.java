import java.util.function.Supplier;

/**
 * Text that is built by chained calls and then kept where others find it: only that builder is shared, not those of
 * methods that append the same way and keep nothing.
 */
public class Builders implements Runnable {
    static Supplier<String> kept;

    abstract static class Part {
        @Override
        public String toString() {
            StringBuilder text = new StringBuilder();
            text.append("part ");
            addTo(text);
            return text.toString();
        }

        abstract void addTo(StringBuilder text);
    }

    static class Left extends Part {
        @Override
        void addTo(StringBuilder text) {
            text.append((Object) "left");
        }
    }

    static class Right extends Part {
        @Override
        void addTo(StringBuilder text) {
            text.append((Object) "right");
        }
    }

    static void keep(Object what) {
        StringBuilder text = new StringBuilder().append("kept: ").append(what);
        kept = text::toString;
    }

    @Override
    public void run() {
        keep(this);
        System.out.println(kept.get() + new Left() + new Right());
    }

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) new Thread(new Builders()).start();
    }
}
