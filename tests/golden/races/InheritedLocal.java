// A thread inherits the values of its parent's inheritable variables: one object in two threads' maps.
public class InheritedLocal {
    static final class Box {
        int v;
    }

    static final InheritableThreadLocal<Box> BOX = new InheritableThreadLocal<>();

    public static void main(String[] args) {
        BOX.set(new Box());
        new Thread(() -> BOX.get().v++).start();
        BOX.get().v++;
    }
}
