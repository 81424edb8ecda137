package java.lang;

import static java.lang.RaceMemory.U;

import java.lang.reflect.Field;
import jdk.internal.vm.annotation.ForceInline;

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
        RaceShadow s = kept(t, o);
        return s != null ? s : RaceShadow.of(o);
    }

    /** Whether it is the shadow that the object refers to; a clone comes with that of its model. */
    @ForceInline
    static boolean isKept(Object shadow, Object o) {
        return shadow instanceof RaceShadow && ((RaceShadow) shadow).isKeptBy(o);
    }

    /** The shadow that the object refers to; null if its class has no field for that. */
    @ForceInline
    static RaceShadow kept(RaceThread t, Object o) {
        long off = offset(t, o.getClass());
        if (off < 0) return null;
        return keptAt(o, off);
    }

    @ForceInline
    static RaceShadow keptAt(Object o, long off) {
        Object s = U.getReference(o, off);
        return isKept(s, o) ? (RaceShadow) s : keep(o, off);
    }

    private static RaceShadow keep(Object o, long off) {
        for (;;) {
            Object s = U.getReference(o, off);
            if (isKept(s, o)) return (RaceShadow) s;
            RaceShadow own = RaceShadow.keptBy(o);
            if (U.compareAndSetReference(o, off, s, own)) return own;
        }
    }

    @ForceInline
    static long offset(RaceThread t, Class<?> c) {
        Row row = ROWS[System.identityHashCode(c) & ROWS.length - 1];
        return row != null && row.c == c ? row.offset : find(t, c);
    }

    private static long find(RaceThread t, Class<?> c) {
        t.busy++;
        try {
            Field f = topmost(c, "$raceLock");
            Row row = new Row(c, f == null ? -1 : U.objectFieldOffset(f));
            ROWS[System.identityHashCode(c) & ROWS.length - 1] = row;
            return row.offset;
        } finally {
            t.busy--;
        }
    }

    /** The field of the highest class that has it: code of that class may be the one to name it. */
    private static Field topmost(Class<?> c, String name) {
        Field f = null;
        for (Class<?> k = c; k != null; k = f.getDeclaringClass().getSuperclass()) {
            Field g = RaceVars.layoutField(k, name);
            if (g == null) break;
            f = g;
        }
        return f;
    }
}
