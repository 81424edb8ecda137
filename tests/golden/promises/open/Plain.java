package open;

public class Plain {
    private int n;

    public void add() {
        n++;
    }
}
