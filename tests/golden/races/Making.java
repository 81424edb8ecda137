import java.util.ArrayList;
import java.util.List;

// Objects that others know before their constructors have ended: what constructors and their own helpers do to
// `this` is done by one thread.  Near misses: a helper that others call too, and another object's fields.
public class Making {
    static final List<Shape> SHAPES = new ArrayList<>();

    static class Shape {
        int made, sides, corners, measured, touched;
        Shape next;

        Shape(Shape other) {
            synchronized (SHAPES) {
                SHAPES.add(this);
            }
            made = 1;
            count();
            measure();
            if (other != null) other.touched = 1; // race: that one is not in the making
        }

        private void count() {
            sides = made + 1;
            round();
        }

        private void round() {
            corners = sides;
        }

        void measure() {
            measured++; // race: others measure too
        }
    }

    static class Square extends Shape {
        int depth;

        Square(Shape other) {
            super(other);
            depth = 2;
            sides = 4;
        }
    }

    static void work() {
        Shape last;
        synchronized (SHAPES) {
            last = SHAPES.isEmpty() ? null : SHAPES.get(0);
        }
        new Square(last);
        if (last != null) last.measure();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] threads = new Thread[2];
        for (int i = 0; i < 2; i++) {
            threads[i] = new Thread(Making::work);
            threads[i].start();
        }
        for (Thread t : threads) t.join();
    }
}
