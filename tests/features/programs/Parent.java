/** Races, starts a JVM of its own, and races no more. */
public class Parent {
    static int first, second;

    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            both(() -> second++);
            return;
        }
        both(() -> first++);
        String java = System.getProperty("java.home") + "/bin/java";
        Process child = new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), "Parent", "child").inheritIO().start();
        System.out.println("child ended with " + child.waitFor());
    }

    static void both(Runnable work) throws InterruptedException {
        Thread a = new Thread(work), b = new Thread(work);
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
