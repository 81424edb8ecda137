// options: -m RowsByTable -k auto
// Rows of two kinds from one factory: only deeper contexts tell them apart. The lock is the table.
public class RowsByTable extends Thread {
    private static RowsByTableRow[] rows;
    private RowsByTableRow mine;

    RowsByTable() {
        this.mine = RowsByTableRow.make();
    }

    public static void main(String[] args) {
        rows = new RowsByTableRow[args.length];
        for (int i = 0; i < args.length; i++) rows[i] = RowsByTableRow.make();
        for (int i = 0; i < args.length; i++) {
            RowsByTable t = new RowsByTable();
            t.start();
        }
    }

    @Override
    public void run() {
        RowsByTableRow own = this.mine;
        int[] a = own.cells;
        a[0] = 1;
        RowsByTableRow[] all = rows;
        RowsByTableRow one = all[hashCode()];
        int[] b = one.cells;
        synchronized (all) {
            b[0] = 2;
        }
    }
}

class RowsByTableRow {
    int[] cells;

    private RowsByTableRow() {
        this.cells = new int[8];
    }

    static RowsByTableRow make() {
        return new RowsByTableRow();
    }
}
