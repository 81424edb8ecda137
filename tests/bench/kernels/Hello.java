// norace
package bench;

/** Start-up cost only. */
public final class Hello {
    private Hello() {}

    public static void main(String[] args) {
        System.out.println("Hello, world");
    }
}
