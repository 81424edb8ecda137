// race: instance java.awt.image.ComponentSampleModel.numBands
// Two classes of the JDK on the way up each have a field of the name; two threads change the one that is meant.
import java.awt.image.PixelInterleavedSampleModel;
import java.util.concurrent.atomic.AtomicInteger;

public class HiddenField_race {
    static final AtomicInteger GATE = new AtomicInteger();

    static class Model extends PixelInterleavedSampleModel {
        Model() {
            super(0, 3, 3, 1, 3, new int[] {0});
        }

        void touch() {
            meet();
            numBands++;
        }
    }

    /** Both threads pass only when both have come: no thread's start or end can order what follows. */
    static void meet() {
        GATE.incrementAndGet();
        while (GATE.get() < 2) Thread.yield();
    }

    public static void main(String[] args) throws Exception {
        Model model = new Model();
        Thread t1 = new Thread(model::touch);
        Thread t2 = new Thread(model::touch);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
