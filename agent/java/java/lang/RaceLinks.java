package java.lang;

import static java.lang.RaceMemory.U;

import java.lang.ref.WeakReference;

/** Where the objects of a class have references to others: for each field its offset, doubled, and 1 more if it is final. */
final class RaceLinks extends WeakReference<Class<?>> {
    /** By the class's hash; the older one of two in the same place is forgotten. Racy by design: an entry never changes. */
    private static final RaceLinks[] KNOWN = new RaceLinks[1 << 10];

    private final long[] links;

    private RaceLinks(Class<?> c, long[] links) {
        super(c);
        this.links = links;
    }

    static long[] of(Class<?> c) {
        int i = System.identityHashCode(c) & KNOWN.length - 1;
        RaceLinks known = KNOWN[i];
        if (known != null && known.refersTo(c)) return known.links;
        RaceLinks next = new RaceLinks(c, find(c));
        U.storeFence();
        KNOWN[i] = next;
        return next.links;
    }

    private static long[] find(Class<?> c) {
        long[] links = {};
        for (Class<?> k = c; k != null; k = k.getSuperclass()) {
            links = add(links, k, names(k, false), 0);
            links = add(links, k, names(k, true), 1);
        }
        return links;
    }

    private static long[] add(long[] links, Class<?> c, String[] names, int isFinal) {
        if (names == null || names.length == 0) return links;
        long[] all = new long[links.length + names.length];
        for (int i = 0; i < links.length; i++) all[i] = links[i];
        for (int i = 0; i < names.length; i++)
            all[links.length + i] = U.objectFieldOffset(c, names[i]) << 1 | isFinal;
        return all;
    }

    /** Names of the instance fields that the class declares for references, without those that share theirs. */
    private static native String[] names(Class<?> c, boolean isFinal);
}
