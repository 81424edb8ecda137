// Races that stand close to the proof that an element of an array is one object whenever it is read, so that it can be the lock
// that guards itself.  Each class has one; where the array itself is raced for, the object's own is in its class.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

public class NearElements {
    static void twice(Runnable body) {
        for (int t = 0; t < 2; t++) new Thread(body).start();
    }
    public static void main(String[] args) {
        int i = args.length;
        OtherIndex.run(i);
        IndexChanges.run(i);
        Replaced.run(i);
        FilledAgain.run(i);
        PlacesTwice.run(i);
        RoundsStepBack.run(i);
        FilledByLibrary.run(i);
        StoredByHandle.run(i);
        OtherArray.run(i);
        ArrayChanges.run(i);
        LockedBefore.run(i);
        FreeBetween.run(i);
    }
    /** The lock is one element, the access another. */
    static class OtherIndex {
        static class Cell { int v; }
        static void run(int i) {
            Cell[] cells = new Cell[9];
            for (int n = 0; n < 9; n++) cells[n] = new Cell();
            new Thread(() -> { synchronized (cells[i]) { cells[i + 1].v++; } }).start();
            new Thread(() -> { synchronized (cells[i + 1]) { cells[i + 1].v++; } }).start();
        }
    }
    /** The index has gone on. */
    static class IndexChanges {
        static class Cell { int v; }
        static void run(int from) {
            Cell[] cells = new Cell[9];
            for (int n = 0; n < 9; n++) cells[n] = new Cell();
            twice(() -> {
                int i = from;
                synchronized (cells[i]) {
                    i++;
                    cells[i].v++;
                }
            });
        }
    }
    /** Somebody else puts another object there. */
    static class Replaced {
        static void run(int i) {
            ReplacedCell[] cells = new ReplacedCell[9];
            for (int n = 0; n < 9; n++) cells[n] = new ReplacedCell();
            twice(() -> { synchronized (cells[i]) { cells[i].add(); } });
            cells[i] = new ReplacedCell();
        }
    }
    static class ReplacedCell {
        int v;
        void add() { v++; }
    }
    /** The loop that fills it runs again for the same array. */
    static class FilledAgain {
        static void run(int i) {
            FilledAgainCell[] cells = new FilledAgainCell[9];
            for (int round = 0; round < 2; round++) {
                for (int n = 0; n < 9; n++) cells[n] = new FilledAgainCell();
                twice(() -> { synchronized (cells[i]) { cells[i].add(); } });
            }
        }
    }
    static class FilledAgainCell {
        int v;
        void add() { v++; }
    }
    /** Two statements fill one place. */
    static class PlacesTwice {
        static void run(int i) {
            PlacesTwiceCell[] cells = {new PlacesTwiceCell(), new PlacesTwiceCell()};
            twice(() -> { synchronized (cells[1]) { cells[1].add(); } });
            cells[1] = new PlacesTwiceCell();
        }
    }
    static class PlacesTwiceCell {
        int v;
        void add() { v++; }
    }
    /** The index does not only count up. */
    static class RoundsStepBack {
        static void run(int i) {
            RoundsStepBackCell[] cells = new RoundsStepBackCell[9];
            int left = 20;
            for (int n = 0; n < 9; n++) {
                cells[n] = new RoundsStepBackCell();
                twice(() -> { synchronized (cells[i]) { cells[i].add(); } });
                if (--left > 9) n--;
            }
        }
    }
    static class RoundsStepBackCell {
        int v;
        void add() { v++; }
    }
    /** Code of the JDK stores. */
    static class FilledByLibrary {
        static class Cell { int v; }
        static void run(int i) {
            Cell[] cells = {new Cell(), new Cell()};
            twice(() -> { synchronized (cells[1]) { cells[1].v++; } });
            Arrays.fill(cells, new Cell());
        }
    }
    /** A handle stores. */
    static class StoredByHandle {
        static class Cell { int v; }
        static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(Cell[].class);
        static void run(int i) {
            Cell[] cells = {new Cell(), new Cell()};
            twice(() -> { synchronized (cells[1]) { cells[1].v++; } });
            ELEMENT.setVolatile(cells, 1, new Cell());
        }
    }
    /** The same place of another array. */
    static class OtherArray {
        static class Cell { int v; }
        static void run(int i) {
            Cell one = new Cell(), two = new Cell();
            Cell[] cells = {one, two}, others = {two, one};
            twice(() -> { synchronized (cells[i]) { others[i].v++; } });
            twice(() -> { synchronized (others[i]) { others[i].v++; } });
        }
    }
    /** The field holds another array by then. */
    static class ArrayChanges {
        static class Cell { int v; }
        static Cell[] cells = make();
        static Cell[] make() {
            Cell[] all = new Cell[9];
            for (int n = 0; n < 9; n++) all[n] = new Cell();
            return all;
        }
        static void run(int i) {
            twice(() -> { synchronized (cells[i]) { cells[i].v++; } });
            cells = make();
        }
    }
    /** The lock is that of an earlier round. */
    static class LockedBefore {
        static class Cell { int v; }
        static void run(int i) {
            Cell[] cells = new Cell[9];
            for (int n = 0; n < 9; n++) cells[n] = new Cell();
            twice(() -> {
                synchronized (cells[0]) {
                    for (int n = 0; n < 9; n++) cells[n].v++;
                }
            });
            twice(() -> {
                for (int n = 0; n < 9; n++) synchronized (cells[n]) { cells[n].v++; }
            });
        }
    }
    /** The lock was given up in between. */
    static class FreeBetween {
        static class Cell { int v; }
        static void run(int i) {
            Cell[] cells = new Cell[9];
            for (int n = 0; n < 9; n++) cells[n] = new Cell();
            twice(() -> {
                synchronized (cells[i]) { cells[i].v++; }
                cells[i].v++;
            });
        }
    }
}
