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

    /** Of elements that are references: a long or an int each. */
    private static final int REFERENCE_SHIFT = U.arrayIndexScale(Object[].class) == 8 ? 3 : 2;

    /** Offset of an element of an array of references. */
    static long referenceAt(int i) {
        return (REFERENCE_SHIFT == 3 ? LONG_BASE : SMALL_BASE) + ((long) i << REFERENCE_SHIFT);
    }

    /** Index of the element at an offset in an array. Unsafe knows the sizes too, but has to ask the VM. */
    static int index(Object array, long off) {
        int shift;
        if (array instanceof Object[]) shift = REFERENCE_SHIFT;
        else if (array instanceof int[] || array instanceof float[]) shift = 2;
        else if (array instanceof long[] || array instanceof double[]) shift = 3;
        else if (array instanceof byte[] || array instanceof boolean[]) shift = 0;
        else shift = 1;
        return (int) (off - (shift == 3 ? LONG_BASE : SMALL_BASE) >> shift);
    }
}
