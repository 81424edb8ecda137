/** The only way out of a program under test; the interpreter prints by itself. */
class Out {
    static void print(int i) {
        System.out.println(i);
    }

    static void print(long l) {
        System.out.println(l);
    }

    static void print(String s) {
        System.out.println(s);
    }

    public static void main(String[] names) throws ReflectiveOperationException {
        for (String name : names) {
            print("== " + name);
            Class.forName(name).getDeclaredMethod("run").invoke(null);
        }
    }
}
