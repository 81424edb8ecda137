// Races that stand close to what tells objects of one kind apart: builders by the place that makes them, results that
// are always one of the arguments.  Each class has one.
import java.util.List;

public class NearText {
    static void twice(Runnable body) {
        for (int t = 0; t < 2; t++) new Thread(body).start();
    }
    public static void main(String[] args) {
        OneForAll.run(args);
        EndOfChain.run(args);
        KeptByCallee.run(args);
        InFunction.run(args);
        ReturnsOther.run(args);
        ReturnsEither.run(args);
        ReturnsSecond.run(args);
    }
    /** The builder that one place makes, once for both threads. */
    static class OneForAll {
        static void run(String[] a) {
            StringBuilder b = new StringBuilder();
            twice(() -> b.append("x").append(1));
        }
    }
    /** What the last call of a chain returns is still that builder. */
    static class EndOfChain {
        static StringBuilder last;
        static void run(String[] a) {
            last = new StringBuilder().append("a").append('b').insert(0, "c").reverse();
            twice(() -> last.append("x"));
        }
    }
    /** Made by each thread, and left behind where the other finds it. */
    static class KeptByCallee {
        static StringBuilder kept;
        static StringBuilder keep(StringBuilder b) {
            if (kept == null) kept = b;
            return b;
        }
        static void run(String[] a) {
            twice(() -> {
                keep(new StringBuilder()).append("x");
                kept.append("y");
            });
        }
    }
    /** A function that the JDK calls appends to a builder of both. */
    static class InFunction {
        static void run(String[] a) {
            StringBuilder b = new StringBuilder();
            List<String> list = List.of("x", "y");
            twice(() -> list.forEach(s -> b.append(s)));
        }
    }
    /** Most of the classes return themselves. */
    static class ReturnsOther {
        static class Own {
            int v;
            Own get() {
                return this;
            }
        }
        static class Shared extends Own {
            static final Own ONE = new Own();
            @Override Own get() {
                return ONE;
            }
        }
        static void run(String[] a) {
            twice(() -> {
                Own[] all = {new Own(), new Shared()};
                for (Own o : all) o.get().v++;
            });
        }
    }
    /** The method returns itself, or else something that both know. */
    static class ReturnsEither {
        static class Box {
            static final Box ONE = new Box();
            int v;
            Box get(boolean own) {
                Box b = this;
                if (!own) b = ONE;
                return b;
            }
        }
        static void run(String[] a) {
            twice(() -> new Box().get(a.length > 0).v++);
        }
    }
    /** The second argument is what comes back. */
    static class ReturnsSecond {
        static class Box {
            static final Box ONE = new Box();
            int v;
        }
        static Box second(Box a, Box b) {
            a.v = 1;
            return b;
        }
        static void run(String[] a) {
            twice(() -> second(new Box(), Box.ONE).v++);
        }
    }
}
