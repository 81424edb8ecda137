package java.lang;

import static java.lang.RaceEpoch.evidence;
import static java.lang.RaceMemory.U;

import java.lang.reflect.Field;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The native table of sites, 16 bytes each: offsets of the two words of the site's field (read, write), or (clock word, 0).
 * Initialised at the first access that is tracked, when native methods are bound.
 */
final class RaceSites {
    private static final long TABLE = siteTable();

    /** Above the offset of a static field's first word: how many classes up from the one that the site names. */
    private static final int UP = 48;
    static final long OFFSET = (1L << UP) - 1;

    private RaceSites() {}

    /** Offset of the site's first word in objects of class c (above it, for a static, what staticBase needs), or -1. */
    @ForceInline
    static long first(Class<?> c, int site, RaceThread t) {
        long off = U.getLong(TABLE + ((long) site << 4));
        return off != 0 ? off : resolve(c, site, t);
    }

    /** Offset of its second word, once the first is known; a site that resolves to a clock word has none. */
    @ForceInline
    static long second(int site) {
        return U.getLong(TABLE + ((long) site << 4) + 8);
    }

    static Object staticBase(Class<?> c, long off) {
        for (long up = off >>> UP; up > 0; up--) c = c.getSuperclass();
        return c; // HotSpot keeps statics in the mirror; offset() has checked that this one does
    }

    /** Works out the offsets of a site's words once; -1 if the class has none (then the site is not checked). */
    private static long resolve(Class<?> c, int site, RaceThread t) {
        t.busy++;
        try {
            long at = TABLE + ((long) site << 4);
            Field first = siteField(c, site, 0), second = siteField(c, site, 1);
            long a = first == null ? -1 : offset(first, c), b = second == null ? 0 : offset(second, c) & OFFSET;
            U.putLong(at + 8, b);
            U.storeFence();
            U.putLong(at, a);
            if (evidence) ran(site);
            return a;
        } finally {
            t.busy--;
        }
    }

    /** -1 for a static field that is not in the mirror of c or of a superclass: then it is not checked. */
    private static long offset(Field f, Class<?> c) {
        if ((f.getModifiers() & 8) == 0) return U.objectFieldOffset(f);
        long up = 0;
        for (Class<?> k = c; k != null; k = k.getSuperclass(), up++)
            if (f.getDeclaringClass() == k) return U.staticFieldBase(f) == k ? U.staticFieldOffset(f) | up << UP : -1;
        return -1;
    }

    /** Sites of arrays and containers have no offsets to find; their row of the table says that they ran. */
    static void ranOnce(int site) {
        long at = TABLE + ((long) site << 4);
        if (U.getLong(at) != 0) return;
        U.putLong(at, 1);
        ran(site);
    }

    private static native long siteTable();
    private static native void ran(int site);
    /** The field that holds the site's first (0) or second (1) word, looked up from class c. */
    private static native Field siteField(Class<?> c, int site, int which);
}
