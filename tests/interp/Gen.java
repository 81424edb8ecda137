import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * Writes random classes: java Gen.java DIR FIRST_SEED COUNT.
 *
 * The methods are full of what makes SSA construction hard: nested loops with labelled jumps, switches that fall
 * through, exceptions out of the middle of expressions, finally, monitors, and locals that share a slot.  Every
 * program ends: loops count, and a budget bounds the calls.
 */
class Gen {
    static final String[] CAUGHT = {"ArithmeticException", "ArrayIndexOutOfBoundsException",
        "NullPointerException", "IllegalStateException", "RuntimeException"};
    static final int METHODS = 12;

    final Random random;
    final StringBuilder out = new StringBuilder();
    int method, names, loops, left;

    Gen(long seed) {
        random = new Random(seed);
    }

    int pick(int n) {
        return random.nextInt(n);
    }

    String var() {
        return "abcd".charAt(pick(4)) + "";
    }

    String expr(int depth) {
        if (depth <= 0) return pick(3) == 0 ? String.valueOf(pick(20) - 5) : var();
        String x = expr(depth - 1), y = expr(depth - 1);
        switch (pick(12)) {
            case 0: return "(" + x + " + " + y + ")";
            case 1: return "(" + x + " - " + y + ")";
            case 2: return "(" + x + " * " + y + ")";
            case 3: return "(" + x + " / " + y + ")";
            case 4: return "(" + x + " % (" + y + " & 7))";
            case 5: return "(" + cond(depth - 1) + " ? " + x + " : " + y + ")";
            case 6: return "arr[" + x + " & 3]";
            case 7: return "(int) (l ^ " + x + ")";
            case 8: return "(" + var() + " = " + x + ")";
            case 9: return "(" + var() + (pick(2) == 0 ? "++" : "--") + " + " + x + ")";
            case 10: return method == 0 ? x : "m" + pick(method) + "(" + x + ", " + y + ", l, arr)";
            default: return "s" + pick(2);
        }
    }

    String cond(int depth) {
        String x = expr(depth - 1), y = expr(depth - 1);
        switch (pick(6)) {
            case 0: return "(" + x + " < " + y + ")";
            case 1: return "(" + x + " == " + y + ")";
            case 2: return "(" + x + " >= " + y + " && " + y + " != 3)";
            case 3: return "(l > " + x + " || arr != null)";
            case 4: return "(" + x + " > 1.5 * " + y + ")";
            default: return "((" + x + " & 1) == 0)";
        }
    }

    void line(int indent, String text) {
        out.append("    ".repeat(indent)).append(text).append('\n');
    }

    void block(int indent, int depth, String head) {
        line(indent, head + " {");
        int n = 1 + pick(3);
        for (int i = 0; i < n; i++) stmt(indent + 1, depth - 1);
        line(indent, "}");
    }

    void stmt(int in, int depth) {
        String t = "t" + names++;
        switch (depth <= 0 || --left < 0 ? pick(6) : pick(15)) {
            case 0: line(in, var() + " = " + expr(2) + ";"); break;
            case 1: line(in, "l = l * 31 + " + expr(2) + ";"); break;
            case 2: line(in, "arr[" + expr(1) + " & 7] = " + expr(2) + ";"); break;
            case 3: line(in, "s" + pick(2) + " += " + expr(1) + ";"); break;
            case 4: line(in, "if (" + cond(2) + ") " + abrupt()); break;
            case 5: line(in, pick(2) == 0 ? "{ long " + t + " = l + " + expr(1) + "; l = " + t + " ^ 5; }"
                : "{ Object " + t + " = arr; arr = (int[]) " + t + "; }"); break;
            case 6: block(in, depth, "if (" + cond(2) + ")"); block(in, depth, "else"); break;
            case 7: loop(in, depth, t); break;
            case 8: loop(in, depth, t); break;
            case 9: case 10: guarded(in, depth); break;
            case 11: block(in, depth, "synchronized (LOCKS[" + expr(1) + " & 1])"); break;
            case 12: choice(in, depth); break;
            case 13: line(in, "int " + t + " = " + expr(2) + ";"); line(in, var() + " += " + t + ";"); break;
            default: line(in, "if (" + cond(1) + ") arr = " + (pick(2) == 0 ? "null" : "new int[5]") + ";"); break;
        }
    }

    String abrupt() {
        int which = pick(loops > 0 ? 6 : 3);
        if (which == 0) return "return " + expr(1) + ";";
        if (which < 3) return "throw new " + CAUGHT[pick(CAUGHT.length)] + "();";
        return (which == 3 ? "continue L" : "break L") + pick(loops) + ";";
    }

    void loop(int in, int depth, String t) {
        String label = "L" + loops + ": ";
        loops++;
        if (pick(2) == 0)
            block(in, depth, label + "for (int " + t + " = 0; " + t + " < " + (1 + pick(4)) + "; " + t + "++)");
        else
            block(in, depth, label + "while (--budget > 0 && " + cond(1) + ")");
        loops--;
    }

    void guarded(int in, int depth) {
        block(in, depth, "try");
        int from = pick(CAUGHT.length), to = from + pick(CAUGHT.length - from + 1);
        for (int i = from; i < to; i++) block(in, depth, "catch (" + CAUGHT[i] + " e" + names++ + ")");
        /* Javac copies these once per way out, and copies of copies soon exceed the 64 KB of a method. */
        if (from == to || pick(3) == 0) block(in, 1, "finally");
    }

    void choice(int in, int depth) {
        line(in, "switch (" + expr(2) + " & 3) {");
        for (int i = 0; i < 3; i++) {
            line(in, "case " + i + ":");
            block(in + 1, depth, "");
            if (pick(2) == 0) line(in + 1, "break;");
        }
        line(in, "default:");
        block(in + 1, depth, "");
        line(in, "}");
    }

    String generate(String name) {
        line(0, "class " + name + " {");
        line(1, "static final Object[] LOCKS = {new Object(), new Object()};");
        line(1, "static int s0, s1, budget;");
        for (method = 0; method < METHODS; method++) {
            line(1, "static int m" + method + "(int a, int b, long l, int[] arr) {");
            left = 25;
            line(2, "int c = a, d = 2;");
            line(2, "if (--budget < 0) return b;");
            for (int i = 0; i < 4; i++) stmt(2, 4);
            line(2, "return a + 3 * b + 5 * c + 7 * d + (int) l;");
            line(1, "}");
        }
        line(1, "static void run() {");
        line(2, "for (int i = -3; i < 5; i++) {");
        for (int i = 0; i < METHODS; i++) {
            line(3, "budget = 200;");
            line(3, "try {");
            line(4, "Out.print(m" + i + "(i, " + pick(9) + ", i * 77L, i == 2 ? null : new int[4]));");
            line(3, "} catch (ArithmeticException e) {");
            line(4, "Out.print(\"arithmetic\");");
            line(3, "} catch (RuntimeException e) {");
            line(4, "Out.print(\"runtime\");");
            line(3, "}");
            line(3, "Out.print(s0 * 31 + s1);");
        }
        line(2, "}");
        line(1, "}");
        line(0, "}");
        return out.toString();
    }

    public static void main(String[] args) throws IOException {
        long first = Long.parseLong(args[1]);
        for (long seed = first; seed < first + Integer.parseInt(args[2]); seed++)
            Files.writeString(Path.of(args[0], "G" + seed + ".java"), new Gen(seed).generate("G" + seed));
    }
}
