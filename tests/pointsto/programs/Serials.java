import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;

/** Serialisation hooks. */
public class Serials {
    static class Point implements Serializable {
        private void readObject(ObjectInputStream in) throws Exception {
            in.defaultReadObject();
            Mark.ran();
        }

        private Object readResolve() {
            Mark.ran();
            return this;
        }

        void use() {
            Mark.ran();
        }
    }

    public static void main(String[] args) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(new Point());
        }
        ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        Point p = (Point) in.readObject();
        p.use();
    }
}
