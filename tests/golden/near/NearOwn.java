// Races that stand close to the proof that an object is still its thread's own: something else may refer to what was just
// made.  Each class has one.
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

public class NearOwn {
    static void twice(Runnable body) {
        for (int t = 0; t < 2; t++) new Thread(body).start();
    }
    public static void main(String[] args) {
        KnownWhileBuilt.run(args);
        SecondName.run(args);
        PartRefersBack.run(args);
        CallerKeepsPart.run(args);
        KeptInOther.run(args);
        HeldByFunction.run(args);
        NextRound.run(args);
        OneList.run(args);
        ListOrConstant.run(args);
        GrownFromNothing.run(args);
        Finalized.run(args);
        OtherReturned.run(args);
        FilledByCallee.run(args);
        FilledThroughResult.run(args);
        ReceiverReturned.run(args);
        DeepReturned.run(args);
    }
    /** The array is known to all before its elements are there. */
    static class KnownWhileBuilt {
        static volatile String[] known;
        static String name(String[] all) {
            known = all;
            return "x";
        }
        static void run(String[] a) {
            twice(() -> {
                String[] all = new String[2];
                all[0] = name(all);
                all[1] = "y";
                System.out.println(known[1]);
            });
        }
    }
    /** It becomes known by another name. */
    static class SecondName {
        static final int[] OTHER = new int[1];
        static volatile int[] known;
        static void run(String[] a) {
            twice(() -> {
                int[] mine = new int[1], some = a.length > 0 ? OTHER : mine;
                known = some;
                mine[0]++;
                System.out.println(known[0]);
            });
        }
    }
    /** A part of it becomes known, and leads back. */
    static class PartRefersBack {
        static class Part {
            final Whole whole;
            Part(Whole w) {
                whole = w;
            }
        }
        static class Whole {
            Part part;
            int v;
            void fill() {
                part = new Part(this);
            }
        }
        static volatile Part known;
        static void run(String[] a) {
            twice(() -> {
                Whole w = new Whole();
                w.fill();
                known = w.part;
                w.v++;
                System.out.println(known.whole.v);
            });
        }
    }
    /** The same, where a method gives the part away. */
    static class CallerKeepsPart {
        static class Part {
            final Whole whole;
            Part(Whole w) {
                whole = w;
            }
        }
        static class Whole {
            Part part;
            int v;
            void fill() {
                part = new Part(this);
            }
            void tell() {
                known = part;
            }
        }
        static volatile Part known;
        static void run(String[] a) {
            twice(() -> {
                Whole w = new Whole();
                w.fill();
                w.tell();
                w.v++;
                System.out.println(known.whole.v);
            });
        }
    }
    /** Another new object holds it and becomes known. */
    static class KeptInOther {
        static class Box {
            int v;
        }
        static class Holder {
            Box box;
            void keep(Box b) {
                box = b;
            }
        }
        static volatile Holder known;
        static void run(String[] a) {
            twice(() -> {
                Holder h = new Holder();
                Box b = new Box();
                h.keep(b);
                known = h;
                b.v++;
                System.out.println(known.box.v);
            });
        }
    }
    /** A function object holds it. */
    static class HeldByFunction {
        static volatile Supplier<int[]> known;
        static void run(String[] a) {
            twice(() -> {
                int[] mine = new int[1];
                Supplier<int[]> s = () -> mine;
                known = s;
                mine[0]++;
                System.out.println(known.get()[0]);
            });
        }
    }
    /** The one of the round before was given away. */
    static class NextRound {
        static volatile int[] known;
        static void run(String[] a) {
            twice(() -> {
                int[] last = null;
                for (int i = 0; i < 3; i++) {
                    int[] mine = new int[1];
                    if (last != null) last[0]++;
                    known = mine;
                    last = mine;
                }
                System.out.println(known[0]);
            });
        }
    }
    /** What a factory made is one list all the same. */
    static class OneList {
        static <T> List<T> newList() {
            return new ArrayList<>();
        }
        static final List<String> ALL = newList();
        static void run(String[] a) {
            List<String> own = newList();
            own.add("x");
            twice(() -> ALL.add("x"));
        }
    }
    /** Now and then the factory gives out what it has. */
    static class ListOrConstant {
        static final int[] NONE = new int[1];
        static int[] make(int n) {
            if (n == 0) return NONE;
            return new int[n];
        }
        static void run(String[] a) {
            twice(() -> make(a.length)[0]++);
        }
    }
    /** An array without elements, and then one with. */
    static class GrownFromNothing {
        static int[] all = {};
        static void run(String[] a) {
            all = Arrays.copyOf(all, 1);
            twice(() -> all[0]++);
        }
    }
    /** A finalizer that does something. */
    static class Finalized {
        static class Counted {
            static int alive;
            Counted() {
                alive++;
            }
            @Override @SuppressWarnings("removal") protected void finalize() {
                alive--;
            }
        }
        static void run(String[] a) {
            new Counted();
        }
    }
    /** One of the two arguments comes back, and it is the other. */
    static class OtherReturned {
        static class Box { int v; }
        static final Box KNOWN = new Box();
        static Box pick(Box mine, Box other, boolean b) {
            if (b) return mine;
            return other;
        }
        static void run(String[] a) {
            twice(() -> pick(new Box(), KNOWN, a.length > 0).v++);
        }
    }
    /** What comes back is one's own, but holds by now what all know. */
    static class FilledByCallee {
        static class Part { int v; }
        static class Box { Part part = new Part(); }
        static final Part[] KNOWN = {new Part()};
        static Box fill(Box b) {
            b.part = KNOWN[0];
            return b;
        }
        static void run(String[] a) {
            twice(() -> fill(new Box()).part.v++);
        }
    }
    /** The same by the name of the result. */
    static class FilledThroughResult {
        static class Part { int v; }
        static class Box { Part part = new Part(); }
        static class Passer {
            Part known = new Part();
            Box pass(Box b) {
                return b;
            }
        }
        static void run(String[] a) {
            Passer p = new Passer();
            twice(() -> {
                Box mine = new Box();
                Box same = p.pass(mine);
                same.part = p.known;
                mine.part.v++;
            });
        }
    }
    /** The receiver's part comes back, not the argument. */
    static class ReceiverReturned {
        static class Box { int v; }
        static class Keeper {
            Box kept = new Box();
            Box get(Box mine) {
                return kept;
            }
        }
        static void run(String[] a) {
            Keeper k = new Keeper();
            twice(() -> k.get(new Box()).v++);
        }
    }
    /** A method behind the method called puts it there and gives it back. */
    static class DeepReturned {
        static class Box { int v; }
        static class Keeper {
            volatile Box kept;
            Box keep(Box b) {
                kept = b;
                return b;
            }
            Box pass(Box b) {
                return keep(b);
            }
        }
        static void run(String[] a) {
            Keeper k = new Keeper();
            twice(() -> {
                k.pass(new Box()).v++;
                k.kept.v++;
            });
        }
    }
}
