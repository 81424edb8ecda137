import java.util.Random;

/** Prints a random program R for a seed: objects that are shared, kept or handed over, with and without locks. */
public class Random21 {
    private final Random random;
    private final StringBuilder out = new StringBuilder();

    private Random21(long seed) {
        random = new Random(seed);
    }

    public static void main(String[] args) {
        System.out.print(new Random21(Long.parseLong(args[0])).program());
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private String program() {
        out.append("public class R extends Thread {\n");
        out.append("    static N g; static int s; static final Object LOCK = new Object();\n");
        out.append("    N mine; int[] data;\n");
        int kinds = 1 + random.nextInt(3);
        out.append("    public static void main(String[] args) {\n        N a = new N(); N b = new N(); int[] d = new int[2];\n");
        statements(2 + random.nextInt(3), 2);
        for (int i = 0; i < kinds; i++) {
            boolean loop = random.nextBoolean();
            out.append("        ").append(loop ? "for (int i = 0; i < args.length; i++) " : "")
                .append("{ W").append(i).append(" w = new W").append(i).append("(); w.mine = ")
                .append(pick("a", "b", "new N()")).append("; w.data = d; w.start(); }\n");
            statements(1 + random.nextInt(3), 2);
        }
        out.append("    }\n}\n");
        for (int i = 0; i < kinds; i++) {
            out.append("class W").append(i).append(" extends R {\n    public void run() {\n");
            out.append("        N a = mine; N b = new N(); int[] d = data; if (a == null) a = b;\n");
            statements(3 + random.nextInt(4), 2);
            out.append("    }\n}\n");
        }
        out.append("class N {\n    int v; N next;\n    N() { v = 1; }\n");
        out.append("    int get() { return v; }\n    void set(int x) { v = x; }\n");
        out.append("    synchronized void add() { v++; }\n    void link(N n) { next = n; }\n}\n");
        return out.toString();
    }

    private void statements(int n, int depth) {
        for (int i = 0; i < n; i++) {
            statement(depth);
        }
    }

    private void statement(int depth) {
        String x = pick("a", "b");
        switch (random.nextInt(depth > 0 ? 13 : 11)) {
            case 0 -> line(x + ".v++;");
            case 1 -> line(x + ".set(3);");
            case 2 -> line("R.s = " + x + ".get();");
            case 3 -> line(x + ".next = " + pick("a", "b", "new N()") + ";");
            case 4 -> line(x + ".link(" + pick("a", "b") + ");");
            case 5 -> line("if (" + x + ".next != null) " + x + " = " + x + ".next;");
            case 6 -> line("R.g = " + x + ";");
            case 7 -> line("if (R.g != null) " + x + " = R.g;");
            case 8 -> line("d[0] = " + x + ".v;");
            case 9 -> line(x + ".add();");
            case 10 -> line("R.s++;");
            case 11 -> {
                line("synchronized (" + pick("R.LOCK", "R.class", "a") + ") {");
                statements(1 + random.nextInt(2), depth - 1);
                line("}");
            }
            default -> {
                line("if (R.s > 0) {");
                statements(1 + random.nextInt(2), depth - 1);
                line("}");
            }
        }
    }

    private void line(String text) {
        out.append("        ").append(text).append('\n');
    }
}
