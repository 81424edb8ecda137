/** Elements of arrays as locks: of themselves, of what they hold; filled in a constructor, by a loop, by constants. */
public class ElementLocks {
    static class Cell {
        int ok, bad;
        int[] data = new int[4];
    }

    static class Table {
        private Cell[] cells;
        private final Cell[] two = {new Cell(), new Cell()};

        Table(int n) {
            cells = new Cell[n + 1];
            for (int i = 0; i <= n; i++) cells[i] = new Cell();
        }

        void add(int i) {
            synchronized (cells[i]) {
                cells[i].ok++;
                if (cells[i].ok > 1) cells[i].ok = 0;
            }
            synchronized (two[1]) {
                two[1].ok++;
            }
        }

        void addWrong(int i, int k) {
            synchronized (cells[i]) {
                cells[k].bad++;
            }
            synchronized (two[1]) {
                two[0].bad++;
            }
        }
    }

    static void eachRound(Cell[] row) {
        for (int i = 0; i < row.length; i++) {
            synchronized (row[i]) {
                row[i].ok++;
            }
        }
    }

    public static void main(String[] args) {
        Table table = new Table(10);
        Cell[] row = new Cell[args.length];
        for (int i = 0; i < row.length; i++) row[i] = new Cell();
        for (int t = 0; t < 2; t++) {
            new Thread(() -> {
                table.add(args.length);
                table.addWrong(args.length, 3);
                eachRound(row);
            }).start();
        }
    }
}
