package java.lang;

import jdk.internal.misc.Unsafe;

/**
 * Where the elements of arrays begin. Unsafe says so too, but as an int in older JDKs and as a long in newer ones, and
 * one class file must link on both; so it is found by looking.
 */
final class RaceLayout {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long MARK = 0x5ca1ab1e0ddba11L;

    static final long LONG_BASE = longBase();
    /** Of elements of up to four bytes, which all begin at the same place. */
    static final long SMALL_BASE = smallBase();

    private RaceLayout() {}

    private static long longBase() {
        long[] a = new long[2];
        a[0] = MARK;
        long off = 8;
        while (U.getLong(a, off) != MARK) off += 8;
        return off;
    }

    private static long smallBase() {
        int[] a = new int[4];
        a[0] = (int) MARK;
        long off = 8;
        while (U.getInt(a, off) != (int) MARK) off += 4;
        return off;
    }

    /** Index of the element at an offset in an array of this class. */
    static int index(Class<?> array, long off) {
        int scale = U.arrayIndexScale(array);
        return (int) ((off - (scale == 8 ? LONG_BASE : SMALL_BASE)) / scale);
    }
}
