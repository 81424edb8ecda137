package java.lang;

import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

import jdk.internal.vm.annotation.Hidden;

/**
 * Calls of methods that take a lock of their callers for granted.  All callers that were analysed hold it (or need
 * none, for an object that is still their own); so there is something to look at only once a class has been loaded that
 * was not analysed.  And methods that no call reaches, as far as the analysis saw: if one runs, it missed something.
 */
public final class RaceBoundary {
    private RaceBoundary() {}

    /** First thing in such a method; null if the lock cannot be named there. */
    @Hidden
    public static void entered(Object lock, int requirement) {
        if (RaceEpoch.strangers && !holds(lock)) unguarded(requirement);
    }

    /** First thing in a method of which the analysis saw no call. */
    @Hidden
    public static void strayed(int method) {
        if (!RaceEpoch.astray) unreached(method);
    }

    private static boolean holds(Object lock) {
        if (lock == null) return false;
        if (lock instanceof ReentrantLock) return ((ReentrantLock) lock).isHeldByCurrentThread() || Thread.holdsLock(lock);
        if (lock instanceof ReentrantReadWriteLock.WriteLock)
            return ((ReentrantReadWriteLock.WriteLock) lock).isHeldByCurrentThread();
        return Thread.holdsLock(lock);
    }

    /** The lock is not held, which matters if the caller was not analysed. */
    private static native void unguarded(int requirement);

    /** The analysis missed a call. */
    private static native void unreached(int method);
}
