package java.lang;

import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Variables named as (base object, offset), the way Unsafe and VarHandle name them: finds the words that belong to such
 * a variable. A volatile field has its clock word beside it; every other one (array elements, fields that are not
 * declared volatile) gets one in the base's {@link RaceShadow}.
 */
final class RaceVars {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final int ACQUIRE = 1, RELEASE = 2, UPDATE = 4, PLAIN_READ = 8, PLAIN_WRITE = 16;

    /**
     * What is known of a class: rows of (field offset, clock word, read word, write word), 0 where there is none. Offsets
     * of static fields count from the class's mirror and may equal those of instance fields.
     */
    private static final class Layout {
        long[] rows, statics;
        long[] words; // of instances, for clone
    }

    /** What is known of a VarHandle: its kind, and for a field the offset, for a static also the base. */
    private static final class Handle {
        boolean field;
        Object base;
        long offset;
    }

    // Direct-mapped cache of (class, offset) -> clock word offset; racy by design: a row is one immutable object.
    private static final class Row {
        final Class<?> c;
        final boolean isStatic;
        final long offset, clock;

        Row(Class<?> c, boolean isStatic, long offset, long clock) {
            this.c = c;
            this.isStatic = isStatic;
            this.offset = offset;
            this.clock = clock;
        }
    }

    private static final Row[] CACHE = new Row[256];
    /** Rows of instance fields that have a clock word, by the site (its low bits) that came for them last. */
    private static final Row[] BY_SITE = new Row[1024];

    private RaceVars() {}

    @ForceInline
    static boolean isPlain(int mode) {
        return (mode & (PLAIN_READ | PLAIN_WRITE)) != 0;
    }

    static void before(RaceThread t, Object base, long off, int mode, int site) {
        long word = (mode & RELEASE) != 0 ? knownWord(base, off, site) : 0;
        if (word != 0) RaceClocks.release(t, base, word, site, (mode & UPDATE) != 0);
        else if ((mode & (RELEASE | PLAIN_READ | PLAIN_WRITE)) != 0) apply(t, base, off, mode, site, true);
    }

    static void after(RaceThread t, Object base, long off, int mode, int site) {
        long word = knownWord(base, off, site);
        if (word != 0) RaceClocks.acquireAt(t, base, word);
        else if ((mode & ACQUIRE) != 0) apply(t, base, off, mode, site, false);
    }

    static void before(RaceThread t, VarHandle h, Object base, int index, int mode, int site) {
        if ((mode & (RELEASE | PLAIN_READ | PLAIN_WRITE)) != 0) apply(t, h, base, index, mode, site, true);
    }

    static void after(RaceThread t, VarHandle h, Object base, int index, int mode, int site) {
        if ((mode & ACQUIRE) != 0) apply(t, h, base, index, mode, site, false);
    }

    private static void apply(RaceThread t, VarHandle h, Object base, int index, int mode, int site, boolean before) {
        Handle d = handle(t, h);
        if (d.field) apply(t, d.base != null ? d.base : base, d.offset, mode, site, before);
        else if (base != null && base.getClass().isArray()) element(t, base, index, mode, site, before);
        else if (!isPlain(mode)) clock(t, RaceShadow.of(h), SYNC, mode, site, before);
    }

    private static void apply(RaceThread t, Object base, long off, int mode, int site, boolean before) {
        if (base == null) return;
        Class<?> c = base instanceof Class ? (Class<?>) base : base.getClass();
        boolean isStatic = base instanceof Class;
        if (c.isArray()) {
            // The Class of an array has no statics; what is meant is a field of Class itself.
            if (!isStatic) element(t, base, RaceLayout.index(base, off), mode, site, before);
            else if (!isPlain(mode)) slot(t, base, (int) (off >>> 2), mode, site, before);
            return;
        }
        if (isPlain(mode)) {
            plain(t, base, isStatic ? layout(t, c).statics : layout(t, c).rows, off, mode, site);
            return;
        }
        long word = clockWord(t, c, isStatic, off, site);
        if (word != 0) clock(t, base, word, mode, site, before);
        else slot(t, base, (int) (off >>> 2), mode, site, before);
    }

    private static void plain(RaceThread t, Object base, long[] rows, long off, int mode, int site) {
        for (int i = 0; i < rows.length; i += 4)
            if (rows[i] == off && rows[i + 2] != 0)
                plain(t, base, rows[i + 2], rows[i + 3], mode, site);
    }

    private static void plain(RaceThread t, Object base, long roff, long woff, int mode, int site) {
        if ((mode & PLAIN_WRITE) != 0) RaceAccess.write(t, base, base, roff, woff, site, -1);
        else RaceAccess.read(t, base, base, roff, woff, site, -1);
    }

    private static void element(RaceThread t, Object a, int i, int mode, int site, boolean before) {
        if (i < 0 || i >= java.lang.reflect.Array.getLength(a)) return;
        if ((mode & PLAIN_READ) != 0) RaceElements.readArray(a, i, site);
        else if ((mode & PLAIN_WRITE) != 0) RaceElements.writeArray(a, i, site);
        else slot(t, a, i, mode, site, before);
    }

    static void releaseElement(RaceThread t, Object array, int index) {
        element(t, array, index, RELEASE, 0, true);
    }

    private static void slot(RaceThread t, Object base, int i, int mode, int site, boolean before) {
        RaceShadow s = t.slots;
        if (s == null || s.get() != base) t.slots = s = RaceShadow.of(base);
        long[] words = s.syncBlock(i);
        clock(t, words, RaceLayout.LONG_BASE + ((long) (i & 63) << 3), mode, site, before);
    }

    private static void clock(RaceThread t, Object o, long word, int mode, int site, boolean before) {
        if (before) RaceClocks.release(t, o, word, site, (mode & UPDATE) != 0);
        else RaceClocks.acquireAt(t, o, word);
    }

    static final long SYNC = U.objectFieldOffset(RaceShadow.class, "sync");

    /** The clock word of the field, if it is the one that the site came for last, in an object of the same class; else 0. */
    @ForceInline
    private static long knownWord(Object base, long off, int site) {
        Row row = BY_SITE[site & BY_SITE.length - 1];
        return row != null && row.c == base.getClass() && row.offset == off ? row.clock : 0;
    }

    private static long clockWord(RaceThread t, Class<?> c, boolean isStatic, long off, int site) {
        int i = System.identityHashCode(c) + (int) off * 31 & CACHE.length - 1;
        Row row = CACHE[i];
        if (row == null || row.c != c || row.offset != off || row.isStatic != isStatic) {
            long[] rows = isStatic ? layout(t, c).statics : layout(t, c).rows;
            long word = 0;
            for (int k = 0; k < rows.length; k += 4)
                if (rows[k] == off) word = rows[k + 1];
            CACHE[i] = row = new Row(c, isStatic, off, word);
        }
        if (row.clock != 0 && !isStatic) BY_SITE[site & BY_SITE.length - 1] = row;
        return row.clock;
    }

    static long[] words(RaceThread t, Class<?> c) {
        return layout(t, c).words;
    }

    private static Layout layout(RaceThread t, Class<?> c) {
        RaceShadow s = RaceShadow.of(c);
        if (s.layout instanceof Layout) return (Layout) s.layout;
        t.busy++;
        try {
            Layout l = describe(c);
            U.storeFence();
            s.layout = l;
            return l;
        } finally {
            t.busy--;
        }
    }

    private static Layout describe(Class<?> c) {
        Field[] fields = wordFields(c);
        Layout l = new Layout();
        l.rows = rows(fields, c, false);
        l.statics = rows(fields, c, true);
        long[] words = new long[fields.length];
        int n = 0;
        for (int i = 0; i < fields.length; i++)
            if (!isStatic(fields[i])) words[n++] = U.objectFieldOffset(fields[i]);
        l.words = copy(words, n);
        return l;
    }

    private static boolean isStatic(Field f) {
        return (f.getModifiers() & 8) != 0;
    }

    private static long offset(Field f) {
        return isStatic(f) ? U.staticFieldOffset(f) : U.objectFieldOffset(f);
    }

    /** Static words of superclasses are in the mirrors of these. */
    private static long[] rows(Field[] words, Class<?> c, boolean statics) {
        long[] rows = new long[words.length * 4];
        int n = 0;
        for (int i = 0; i < words.length; i++) {
            Field w = words[i];
            if (isStatic(w) != statics || statics && w.getDeclaringClass() != c) continue;
            Field f = watched(w.getDeclaringClass(), w);
            if (f == null || isStatic(f) != statics) continue;
            long at = offset(f);
            int k = 0;
            while (k < n && rows[k] != at) k += 4;
            if (k == n) {
                rows[k] = at;
                n += 4;
            }
            char kind = w.getName().charAt(1);
            rows[k + (kind == 'v' ? 1 : kind == 'r' ? 2 : 3)] = offset(w);
        }
        return copy(rows, n);
    }

    private static long[] copy(long[] a, int n) {
        long[] b = new long[n];
        for (int i = 0; i < n; i++) b[i] = a[i];
        return b;
    }

    /** Where a VarHandle keeps what is known of it: a field that the agent adds. */
    private static final long HANDLE = U.objectFieldOffset(VarHandle.class, "$race");

    private static Handle handle(RaceThread t, VarHandle h) {
        Handle d = (Handle) U.getReference(h, HANDLE);
        return d != null ? d : describe(t, h);
    }

    private static Handle describe(RaceThread t, VarHandle of) {
        VarHandle h = of;
        Handle d = new Handle();
        t.busy++;
        try {
            // A static field of a class that was not initialised yet is wrapped, in newer JDKs.
            long wrapped = field(h.getClass(), "refc") > 0 ? field(h.getClass(), "target") : -1;
            if (wrapped > 0) h = (VarHandle) U.getReference(h, wrapped);
            long off = field(h.getClass(), "fieldOffset");
            if (off > 0) {
                d.field = true;
                d.offset = U.getLong(h, off);
                long base = field(h.getClass(), "base");
                if (base > 0) d.base = U.getReference(h, base);
            }
        } finally {
            t.busy--;
        }
        U.storeFence();
        U.putReference(of, HANDLE, d);
        return d;
    }

    /** Offset of a field of the JDK's own VarHandle classes, or -1. */
    private static long field(Class<?> c, String name) {
        Field f = layoutField(c, name);
        return f == null ? -1 : U.objectFieldOffset(f);
    }

    /** The named instance field of c or a superclass, whatever its type, or null. */
    static native Field layoutField(Class<?> c, String name);
    /** All word fields of a class and its superclasses. */
    private static native Field[] wordFields(Class<?> c);
    /** The field that a word field watches, or null. */
    private static native Field watched(Class<?> c, Field word);
}
