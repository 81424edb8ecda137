// Elements that two threads share out by index: proved where no index is in both shares, warned of where one is.
public class Elements {
    static final class Cell {
        int v;
    }

    static final int[] STRIPES = new int[100], CROSSING = new int[100];
    static final long[] HALVES = new long[100], OVERLAP = new long[100];
    static final byte[][] ROWS = new byte[8][8];
    static final short[][] TWICE = new short[8][8];
    static final Cell[] CELLS = new Cell[10], SAME = new Cell[10];
    static final float[] FREE = new float[100];

    static void first(int bound) {
        for (int i = 0; i < 100; i += 2) STRIPES[i]++;
        for (int i = 0; i < 100; i += 2) CROSSING[i]++; // race: 4 is in both
        for (int i = 0; i < 50; i++) HALVES[i]++;
        for (int i = 0; i <= 50; i++) OVERLAP[i]++; // race: element 50
        for (int i = 0; i < 8; i++) ROWS[0][i]++;
        for (int i = 0; i < 8; i++) TWICE[0][i]++; // race: row 1 is row 0
        CELLS[0].v++;
        cell(0).v++; // race: all are one object
        for (int i = 0; i < bound; i++) FREE[i]++; // race: nothing is known of the bound
    }

    static void second() {
        for (int i = 1; i < 100; i += 2) STRIPES[i]++;
        for (int i = 1; i < 100; i += 3) CROSSING[i]++;
        for (int i = 50; i < 100; i++) HALVES[i]++;
        for (int i = 50; i < 100; i++) OVERLAP[i]++;
        for (int i = 0; i < 8; i++) ROWS[1][i]++;
        for (int i = 0; i < 8; i++) TWICE[1][i]++;
        CELLS[1].v++;
        cell(1).v++;
        for (int i = 50; i < 100; i++) FREE[i]++;
    }

    static Cell cell(int i) {
        return SAME[i];
    }

    public static void main(String[] args) throws InterruptedException {
        TWICE[1] = TWICE[0];
        Cell one = new Cell();
        for (int i = 0; i < 10; i++) {
            CELLS[i] = new Cell();
            SAME[i] = one;
        }
        int bound = args.length;
        Thread t1 = new Thread(() -> first(bound)), t2 = new Thread(() -> second());
        t1.start();
        t2.start();
        t1.join();
        t2.join();
    }
}
