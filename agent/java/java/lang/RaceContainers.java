package java.lang;

import jdk.internal.misc.Unsafe;

/** The JDK's unsynchronised collections and builders, by exact class: a subclass may bring its own locking. */
final class RaceContainers {
    private static final Unsafe U = Unsafe.getUnsafe();
    static final long READ = U.objectFieldOffset(RaceShadow.class, "read");
    static final long WRITE = U.objectFieldOffset(RaceShadow.class, "write");

    /** Open-addressed by identity hash; filled by the agent when it starts, read-only after. */
    private static final Class<?>[] SET = new Class<?>[256];

    private RaceContainers() {}

    static boolean isOne(Class<?> c) {
        for (int i = System.identityHashCode(c) & 255;; i = i + 1 & 255) {
            Class<?> k = SET[i];
            if (k == c) return true;
            if (k == null) return false;
        }
    }

    /** Called by the agent for each class of its table that the VM has. */
    static void add(Class<?> c) {
        int i = System.identityHashCode(c) & 255;
        while (SET[i] != null) i = i + 1 & 255;
        SET[i] = c;
    }
}
