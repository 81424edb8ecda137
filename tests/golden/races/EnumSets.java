import java.util.EnumSet;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;

/** The iterator of a set of a small enum looks at a copy of it, unless it removes. */
public class EnumSets {
    static void copyOk() {
        EnumSet<TimeUnit> units = EnumSet.allOf(TimeUnit.class);
        Iterator<TimeUnit> copy = units.iterator();
        new Thread(() -> copy.next()).start();
        new Thread(() -> units.remove(TimeUnit.DAYS)).start();
    }

    enum Colour { RED, GREEN }

    static void removeBad() {
        EnumSet<Colour> colours = EnumSet.noneOf(Colour.class);
        colours.add(Colour.RED);
        Iterator<Colour> it = colours.iterator();
        new Thread(() -> {
            it.next();
            it.remove();
        }).start();
        new Thread(() -> colours.add(Colour.GREEN)).start();
    }

    public static void main(String[] args) {
        copyOk();
        removeBad();
    }
}
