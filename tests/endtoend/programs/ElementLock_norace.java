// norace
// The lock of each object in a table is its own monitor, found again by the index whenever it is used.
public class ElementLock_norace {
    static class Cell {
        int sum;
        int[] last = new int[2];
    }

    private final Cell[] cells;

    ElementLock_norace(int n) {
        cells = new Cell[n];
        for (int i = 0; i < n; i++) cells[i] = new Cell();
    }

    void add(int i, int v) {
        synchronized (cells[i]) {
            cells[i].sum += v;
            if (cells[i].sum > 1000) cells[i].last = new int[] {cells[i].last[1], cells[i].sum};
        }
    }

    int sum(int i) {
        synchronized (cells[i]) {
            return cells[i].sum;
        }
    }

    public static void main(String[] args) throws Exception {
        ElementLock_norace table = new ElementLock_norace(8);
        Runnable body = () -> {
            for (int n = 0; n < 4000; n++) table.add(n * 7 % 8, 1);
        };
        Thread t1 = new Thread(body), t2 = new Thread(body);
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        int all = 0;
        for (int i = 0; i < 8; i++) all += table.sum(i);
        if (all != 8000) throw new AssertionError(all);
        System.out.println("ok");
    }
}
