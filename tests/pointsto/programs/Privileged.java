import java.security.AccessController;
import java.security.PrivilegedAction;
import java.security.PrivilegedExceptionAction;

/** doPrivileged: the action's result stays with its call. */
@SuppressWarnings("removal")
public class Privileged {
    static class One {
        void use() {
            Mark.ran();
        }
    }

    static class Two extends One {
        @Override
        void use() {
            deadTwo();
        }

        void deadTwo() {
            Mark.ran();
        }
    }

    public static void main(String[] args) throws Exception {
        One one = AccessController.doPrivileged(new PrivilegedAction<One>() {
            public One run() {
                Mark.ran();
                return new One();
            }
        });
        one.use();
        One two = AccessController.doPrivileged((PrivilegedExceptionAction<One>) () -> new Two());
        two.hashCode();
    }
}
