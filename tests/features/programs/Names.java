/** Names with characters that class files spell as two surrogates. */
public class Names {
    static class 𝒳 {
        int 𝒻, ü;
    }

    static final 𝒳 x = new 𝒳();

    static void w𝒲() {
        x.𝒻++;
        x.ü++;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(Names::w𝒲, "a, \"b\"\nc"), b = new Thread(Names::w𝒲, "ü€😀");
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
