/* A shared array of cells and one private cell per thread, all made by one static factory: only a long enough
   context tells the shared cells' arrays from the private ones. */
public class T extends Thread {
    static Cell[] shared;
    Cell own;

    public static void main(String[] args) {
        shared = new Cell[args.length];
        for (int i = 0; i < args.length; i++) shared[i] = Cell.make();
        for (int i = 0; i < args.length; i++) {
            T worker = new T();
            worker.start();
        }
    }

    T() {
        this.own = Cell.make();
    }

    @Override
    public void run() {
        int[] mine = this.own.numbers;
        mine[0] = 1;
        Cell any = shared[0];
        int[] ours = any.numbers;
        synchronized (any) {
            ours[0] = 2;
        }
    }
}

class Cell {
    int[] numbers;

    private Cell() {
        this.numbers = new int[8];
    }

    static Cell make() {
        return new Cell();
    }
}
