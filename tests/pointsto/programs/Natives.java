import java.io.IOException;
import java.lang.reflect.Array;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Natives that move references: arraycopy, clone, arrays by reflection, copies that keep arrays apart; call backs. */
public class Natives implements Cloneable {
    static class A {
        void use() {
            Mark.ran();
        }
    }

    static class B extends A {
        @Override
        void use() {
            Mark.ran();
        }
    }

    static class C extends A {
        @Override
        void use() {
            deadC();
        }

        void deadC() {
            Mark.ran();
        }
    }

    A field;

    static class D extends A {
        @Override
        void use() {
            Mark.ran();
        }
    }

    static class E extends A {
        @Override
        void use() {
            Mark.ran();
        }
    }

    /* Natives that call Java: one throws, and a library is loaded. */
    static void callBacks() throws IOException {
        try {
            Files.createDirectory(Path.of("/"));
        } catch (IOException e) {
            System.out.println("there is one");
        }
        new ServerSocket(0).close();
    }

    public static void main(String[] args) throws Exception {
        A[] from = {new A()}, to = new A[1];
        System.arraycopy(from, 0, to, 0, 1);
        to[0].use();
        A[] bs = Arrays.copyOf(new A[] {new B()}, 2);
        bs[0].use();
        A[] cs = Arrays.copyOf(new A[] {new C()}, 2); // never used: must not mix with bs
        System.out.println(cs.length);
        Natives n = new Natives();
        n.field = new D();
        ((Natives) n.clone()).field.use();
        A[] es = (A[]) Array.newInstance(A.class, 1);
        es[0] = new E();
        es.clone()[0].use();
        ((A) Array.get(es, 0)).use();
        callBacks();
    }
}
