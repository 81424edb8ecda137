package open;

@ThreadSafe public class Shared {
    private int n;

    public void add() {
        n++;
    }
}
