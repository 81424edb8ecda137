/** Methods that run say so; the test compares what ran with what the analysis thinks may run. */
public class Mark {
    public static synchronized void ran() {
        StackTraceElement caller = new Throwable().getStackTrace()[1];
        System.out.println("ran " + caller.getClassName() + "." + caller.getMethodName());
        System.out.flush();
    }
}
