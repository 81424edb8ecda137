import java.lang.reflect.Method;

/** Calls every method of Edge both ways. */
public class RunEdge {
    public static void main(String[] args) throws Exception {
        int n = 0;
        for (Method m : Class.forName("Edge").getDeclaredMethods()) {
            if ((int) m.invoke(null, 0) != 2 || (int) m.invoke(null, 1) != 1) {
                System.out.println("BAD " + m);
                System.exit(1);
            }
            n++;
        }
        System.out.println(n + " methods run");
    }
}
