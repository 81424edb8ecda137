// Condition 3: an instance that is set up by its maker and then only read is written once more.
public class Unsafe3 {
    int f;

    Unsafe3(int f) {
        this.f = f;
    }

    public static void main(String[] args) {
        Unsafe3 x = new Unsafe3(args.length);
        for (int i = 0; i < 2; i++) new Thread(() -> System.out.println(x.f)).start();
        new Thread(() -> System.out.println(x.f + 1)).start();
        x.f = 2;
    }
}
