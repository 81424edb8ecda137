import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.concurrent.atomic.AtomicInteger;

/** A second agent, as coverage tools are: sees every class, and retransforms and redefines loaded ones. */
public class Second {
    static volatile Instrumentation instrumentation;
    static final AtomicInteger seen = new AtomicInteger();

    public static void premain(String args, Instrumentation i) {
        instrumentation = i;
        i.addTransformer(new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String name, Class<?> c, ProtectionDomain d, byte[] bytes) {
                seen.incrementAndGet();
                // Handing back a copy makes the VM parse the class anew.
                return loader == null ? null : bytes.clone();
            }
        }, true);
    }

    static class Target {
        int value;
        volatile int flag;
        static int total;
        final Object lock = new Object();

        synchronized int step() {
            synchronized (lock) {
                return ++value + flag + total++;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Target t = new Target();
        int sum = t.step();
        instrumentation.retransformClasses(Target.class);
        sum += t.step();
        byte[] bytes = Second.class.getResourceAsStream("Second$Target.class").readAllBytes();
        instrumentation.redefineClasses(new ClassDefinition(Target.class, bytes));
        sum += t.step() + new Target().step();
        instrumentation.retransformClasses(Target.class, java.util.ArrayList.class, java.util.concurrent.locks.ReentrantLock.class);
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int k = 0; k < 1000; k++) t.step();
            });
            threads[i].start();
        }
        for (Thread x : threads) x.join();
        System.out.println(sum + " " + t.value + " " + (seen.get() > 0));
        System.out.println("ok");
    }
}
