// norace
// Two classes of the JDK on the way up each have a field of the name; the one that is meant is changed under the lock.
import java.awt.image.PixelInterleavedSampleModel;

public class HiddenField_norace {
    static class Model extends PixelInterleavedSampleModel {
        Model() {
            super(0, 3, 3, 1, 3, new int[] {0});
        }

        synchronized void touch() {
            numBands++;
        }

        synchronized int bands() {
            return numBands;
        }
    }

    public static void main(String[] args) throws Exception {
        Model model = new Model();
        Runnable work = () -> {
            for (int i = 0; i < 2000; i++) model.touch();
        };
        Thread t1 = new Thread(work);
        Thread t2 = new Thread(work);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println(model.bands() == 4001 ? "ok" : "bands " + model.bands());
    }
}
