// options: --open OpenBox
// The running example without its main (Figure 2.6 of the thesis): any thread may call the box, which makes its two races.
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
