package open;

@NotThreadSafe public class Loose {
    private int n;

    public void add() {
        n++;
    }
}
