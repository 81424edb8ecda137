// options: -m RowsByRow -k auto
// The same; the lock is the row that holds the cells.
public class RowsByRow extends Thread {
    private static RowsByRowRow[] rows;
    private RowsByRowRow mine;

    RowsByRow() {
        this.mine = RowsByRowRow.make();
    }

    public static void main(String[] args) {
        rows = new RowsByRowRow[args.length];
        for (int i = 0; i < args.length; i++) rows[i] = RowsByRowRow.make();
        for (int i = 0; i < args.length; i++) {
            RowsByRow t = new RowsByRow();
            t.start();
        }
    }

    @Override
    public void run() {
        RowsByRowRow own = this.mine;
        int[] a = own.cells;
        a[0] = 1;
        RowsByRowRow[] all = rows;
        RowsByRowRow one = all[hashCode()];
        int[] b = one.cells;
        synchronized (one) {
            b[0] = 2;
        }
    }
}

class RowsByRowRow {
    int[] cells;

    private RowsByRowRow() {
        this.cells = new int[8];
    }

    static RowsByRowRow make() {
        return new RowsByRowRow();
    }
}
