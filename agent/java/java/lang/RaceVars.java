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

    /** In place of the clock word of a volatile field whose class has another one of that name. */
    private static final long FENCE = -1;

    /** Where the words of a field are: of its clock, its reads and its writes; 0 where there is none. */
    private static final class Row {
        final Class<?> c;
        final boolean isStatic;
        final long offset, clock, read, write;

        /** A field of which `rows` has an entry at k, or none if k is its length. */
        Row(Class<?> c, boolean isStatic, long offset, long[] rows, int k) {
            this.c = c;
            this.isStatic = isStatic;
            this.offset = offset;
            clock = k < rows.length ? rows[k + 1] : 0;
            read = k < rows.length ? rows[k + 2] : 0;
            write = k < rows.length ? rows[k + 3] : 0;
        }
    }

    /**
     * Rows by class and offset, and those of instance fields by the site (its low bits) that came for them last. Classes that are
     * padded against false sharing have hundreds of fields. Racy by design: a row never changes.
     */
    private static final Row[] CACHE = new Row[256], BY_SITE = new Row[1024];

    private RaceVars() {}

    @ForceInline
    static boolean isPlain(int mode) {
        return (mode & (PLAIN_READ | PLAIN_WRITE)) != 0;
    }

    static void before(RaceThread t, Object base, long off, int mode, int site) {
        Row row = known(base, off, site);
        if (row != null) use(t, base, row, mode, site, true);
        else if ((mode & (RELEASE | PLAIN_READ | PLAIN_WRITE)) != 0) apply(t, base, off, mode, site, true);
    }

    static void after(RaceThread t, Object base, long off, int mode, int site) {
        Row row = known(base, off, site);
        if (row != null) use(t, base, row, mode, site, false);
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
        use(t, base, row(t, c, isStatic, off, site), mode, site, before);
    }

    @ForceInline
    private static void use(RaceThread t, Object base, Row row, int mode, int site, boolean before) {
        if (!isPlain(mode)) {
            if (row.clock > 0) clock(t, base, row.clock, mode, site, before);
            else if (row.clock == FENCE) RaceClocks.fence();
            else slot(t, base, (int) (row.offset >>> 2), mode, site, before);
        } else if (row.read != 0) {
            plain(t, base, row.read, row.write, mode, site);
        }
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

    /** The row of the field, if it is the one that the site came for last, in an object of the same class; or null. */
    @ForceInline
    private static Row known(Object base, long off, int site) {
        Row row = BY_SITE[site & BY_SITE.length - 1];
        return row != null && row.c == base.getClass() && row.offset == off ? row : null;
    }

    private static Row row(RaceThread t, Class<?> c, boolean isStatic, long off, int site) {
        int i = System.identityHashCode(c) + (int) off * 31 & CACHE.length - 1;
        Row row = CACHE[i];
        if (row == null || row.c != c || row.offset != off || row.isStatic != isStatic) {
            long[] rows = isStatic ? layout(t, c).statics : layout(t, c).rows;
            int k = 0;
            while (k < rows.length && rows[k] != off) k += 4;
            CACHE[i] = row = new Row(c, isStatic, off, rows, k);
        }
        if (!isStatic) BY_SITE[site & BY_SITE.length - 1] = row;
        return row;
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
        long[] words = new long[fields.length / 2];
        int n = 0;
        for (int i = 0; i < fields.length; i += 2)
            if (fields[i] != null && !isStatic(fields[i])) words[n++] = U.objectFieldOffset(fields[i]);
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
        long[] rows = new long[words.length * 2];
        int n = 0;
        for (int i = 0; i < words.length; i += 2) {
            Field f = words[i + 1], w = words[i] == null ? f : words[i];
            if (f == null || isStatic(w) != statics || isStatic(f) != statics || statics && w.getDeclaringClass() != c) continue;
            long at = offset(f);
            int k = 0;
            while (k < n && rows[k] != at) k += 4;
            if (k == n) {
                rows[k] = at;
                n += 4;
            }
            char kind = w == f ? 0 : w.getName().charAt(1);
            if (w == f) rows[k + 1] = (f.getModifiers() & 0x40) != 0 ? FENCE : 0;
            else rows[k + (kind == 'v' ? 1 : kind == 'r' ? 2 : 3)] = offset(w);
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
    /**
     * All word fields of a class and its superclasses, each with the field that it watches (or null) behind it; null before a
     * field whose class has another one of that name.
     */
    private static native Field[] wordFields(Class<?> c);
}
