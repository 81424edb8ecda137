// options: --open OpenBox
// The classes of the running example without a main: any thread may call the box's public methods.
public class OpenBox {
    private OpenCell cell;

    public OpenBox() {
        cell = new OpenCell();
    }

    public int get() {
        return cell.get();
    }

    public void set(int v) {
        cell.set(v);
    }
}

class OpenCell {
    private int value;

    OpenCell() {
        value = 0;
    }

    int get() {
        return value;
    }

    void set(int v) {
        value = v;
    }
}
