import java.lang.annotation.ElementType;
import java.lang.annotation.Target;

/** Races that an annotation accepts, on a field, a method (with its lambda), a class; and one that nobody accepts. */
public class Annotated {
    @Target({ElementType.FIELD, ElementType.METHOD, ElementType.TYPE})
    @interface Tolerated {
    }

    @Tolerated static int field;
    static int method, cls, plain;

    @Tolerated
    static Runnable inMethod() {
        return () -> method++;
    }

    @Tolerated
    static class Statistics {
        static class Inner implements Runnable {
            public void run() {
                cls++;
            }
        }
    }

    static void race(Runnable body) throws InterruptedException {
        Runnable often = () -> {
            for (int i = 0; i < 1000; i++) body.run();
        };
        Thread a = new Thread(often), b = new Thread(often);
        a.start();
        b.start();
        a.join();
        b.join();
    }

    public static void main(String[] args) throws InterruptedException {
        race(() -> field++);
        race(inMethod());
        race(new Statistics.Inner());
        race(() -> plain++);
    }
}
