// options: -m RowsByCells -k auto
// The same; the lock is the array itself.
public class RowsByCells extends Thread {
    private static RowsByCellsRow[] rows;
    private RowsByCellsRow mine;

    RowsByCells() {
        this.mine = RowsByCellsRow.make();
    }

    public static void main(String[] args) {
        rows = new RowsByCellsRow[args.length];
        for (int i = 0; i < args.length; i++) rows[i] = RowsByCellsRow.make();
        for (int i = 0; i < args.length; i++) {
            RowsByCells t = new RowsByCells();
            t.start();
        }
    }

    @Override
    public void run() {
        RowsByCellsRow own = this.mine;
        int[] a = own.cells;
        a[0] = 1;
        RowsByCellsRow[] all = rows;
        RowsByCellsRow one = all[hashCode()];
        int[] b = one.cells;
        synchronized (b) {
            b[0] = 2;
        }
    }
}

class RowsByCellsRow {
    int[] cells;

    private RowsByCellsRow() {
        this.cells = new int[8];
    }

    static RowsByCellsRow make() {
        return new RowsByCellsRow();
    }
}
