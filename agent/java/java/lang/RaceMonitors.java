package java.lang;

import static java.lang.RaceMemory.U;

import java.lang.reflect.Field;

/**
 * What is kept of an object as a monitor. Objects of classes that lock themselves have a field for it; those of others are
 * looked up in the table of all {@link RaceShadow}s, which needs their hash (dear to make while they are locked) and a weak
 * reference to each.
 */
final class RaceMonitors {
    /** Where a class has the field; -1 if it has none. */
    private static final class Row {
        final Class<?> c;
        final long offset;

        Row(Class<?> c, long offset) {
            this.c = c;
            this.offset = offset;
        }
    }

    /** Direct-mapped by class; racy by design: a row is one immutable object. */
    private static final Row[] ROWS = new Row[256];

    private RaceMonitors() {}

    static RaceShadow of(RaceThread t, Object o) {
        long off = offset(t, o.getClass());
        if (off < 0) return RaceShadow.of(o);
        for (;;) {
            RaceShadow s = (RaceShadow) U.getReference(o, off);
            if (s != null && s.isOf(o)) return s;
            RaceShadow own = RaceShadow.keptBy(o); // a clone comes with that of its model
            if (U.compareAndSetReference(o, off, s, own)) return own;
        }
    }

    private static long offset(RaceThread t, Class<?> c) {
        int i = System.identityHashCode(c) & ROWS.length - 1;
        Row row = ROWS[i];
        if (row == null || row.c != c) ROWS[i] = row = new Row(c, find(t, c));
        return row.offset;
    }

    private static long find(RaceThread t, Class<?> c) {
        t.busy++;
        try {
            Field f = RaceVars.layoutField(c, "$raceLock");
            return f == null ? -1 : U.objectFieldOffset(f);
        } finally {
            t.busy--;
        }
    }
}
