// race: instance ElementLock_race.Cell.sum
// The lock is the object found by the index, but another one has been put there meanwhile: its monitor is not held.
public class ElementLock_race {
    static class Cell {
        int sum;
    }

    private final Cell[] cells = new Cell[8];

    ElementLock_race() {
        for (int i = 0; i < 8; i++) cells[i] = new Cell();
    }

    void replaceAndAdd(int i, Cell by) {
        synchronized (cells[i]) {
            cells[i] = by;
            cells[i].sum++;
        }
    }

    public static void main(String[] args) throws Exception {
        ElementLock_race table = new ElementLock_race();
        Cell fresh = new Cell();
        Thread t1 = new Thread(() -> table.replaceAndAdd(1, fresh)), t2 = new Thread(() -> table.replaceAndAdd(2, fresh));
        t1.start();
        t2.start();
        t1.join();
        t2.join();
        System.out.println("ok");
    }
}
