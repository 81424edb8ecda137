// The running example of the thesis's second chapter: two boxes, one of them used for asynchronous notification.
// Both the read in main's loop and the writes of the workers among themselves race on the unprotected number.
public class Notification extends Thread {
    private final int ignored = 0;
    private Box flag, work;

    Notification(Box flag, Box work) {
        this.flag = flag;
        this.work = work;
    }

    public static void main(String[] args) {
        Box flag = new Box();
        Box work = new Box();
        for (int i = 0; i < args.length; i++) {
            Notification n = new Notification(flag, work);
            n.start();
        }
        while (flag.get() == 0) {
            synchronized (work) {
                work.set(args.length);
            }
        }
    }

    @Override
    public void run() {
        Box f = this.flag;
        Box w = this.work;
        synchronized (w) {
            w.get();
        }
        f.set(1);
    }
}

class Box {
    private Cell cell;

    Box() {
        cell = new Cell();
    }

    public int get() {
        return cell.get();
    }

    public void set(int v) {
        cell.set(v);
    }
}

class Cell {
    private int value;

    Cell() {
        value = 0;
    }

    public int get() {
        return value;
    }

    public void set(int v) {
        value = v;
    }
}
