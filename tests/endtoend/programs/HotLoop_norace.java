// norace
// Two compiled loops hand the cell to and fro inside the loop, by a volatile turn.
public class HotLoop_norace {
    static volatile int turn;

    static class Cell {
        int v;
    }

    static void bump(Cell c, int n) {
        for (int i = 0; i < n; i++) c.v++;
    }

    public static void main(String[] args) throws Exception {
        Cell c = new Cell();
        Thread t1 = new Thread(() -> {
            for (int n = 0; n < 1000; n++) {
                while (turn != 0) Thread.yield();
                for (int i = 0; i < 20; i++) c.v++;
                bump(c, 5);
                turn = 1;
            }
        });
        Thread t2 = new Thread(() -> {
            for (int n = 0; n < 1000; n++) {
                while (turn != 1) Thread.yield();
                for (int i = 0; i < 20; i++) c.v++;
                bump(c, 5);
                turn = 0;
            }
        });
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        if (c.v != 50_000) throw new AssertionError(c.v);
        System.out.println("ok");
    }
}
