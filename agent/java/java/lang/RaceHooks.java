package java.lang;

import static java.lang.RaceEpoch.always;
import static java.lang.RaceEpoch.self;
import static java.lang.RaceEpoch.tracked;
import static java.lang.RaceMemory.U;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * What rewritten bytecode calls beside accesses ({@link RaceAccess}, {@link RaceElements}) and synchronisation
 * ({@link RaceClocks}, {@link RaceLocks}, {@link RaceThreads}).
 */
public final class RaceHooks {
    private RaceHooks() {}

    /** Called by the agent when the VM is initialised; its class hook binds the native methods on top of this. */
    static void bind() {
        bindHere();
    }

    private static Object bindHere() {
        return java.util.zip.CRC32C.class;
    }

    // ---- VarHandle and Unsafe ----

    /** Plain modes are accesses, the others synchronise. */
    @ForceInline
    private static RaceThread user(int mode) {
        return RaceVars.isPlain(mode) ? self() : tracked();
    }

    @Hidden
    @DontInline
    public static void unsafeBefore(Object base, long off, int mode, int site) {
        RaceThread t = user(mode);
        if (t != null && base != null) RaceVars.before(t, base, off, mode, site);
    }

    @Hidden
    @DontInline
    public static void unsafeAfter(Object base, long off, int mode, int site) {
        RaceThread t = user(mode);
        if (t != null && base != null) RaceVars.after(t, base, off, mode, site);
    }

    @Hidden
    @DontInline
    public static void handleBefore(java.lang.invoke.VarHandle h, Object base, int index, int mode, int site) {
        RaceThread t = user(mode);
        if (t != null && h != null) RaceVars.before(t, h, base, index, mode, site);
    }

    @Hidden
    @DontInline
    public static void handleAfter(java.lang.invoke.VarHandle h, Object base, int index, int mode, int site) {
        RaceThread t = user(mode);
        if (t != null && h != null) RaceVars.after(t, h, base, index, mode, site);
    }

    /** Before a plain store of the JDK that hands an object to whoever acquires the element. */
    @Hidden
    public static void elementReleased(Object array, int index) {
        RaceThread t = tracked();
        if (t != null && array != null) RaceVars.releaseElement(t, array, index);
    }

    // ---- references, clones, reflection ----

    /** ReferenceQueue.enqueue: everything done before an object became unreachable comes before its cleaning. */
    @Hidden
    public static void enqueued() {
        RaceThread t = tracked();
        if (t != null) RaceClocks.acquireAll(t.peer);
    }

    /** After Object.clone: the copy is a new location; the words copied with it are not its own. */
    @Hidden
    public static void cloned(Object copy) {
        RaceThread t = always();
        if (t == null || copy == null) return;
        if (copy.getClass().isArray()) return;
        long[] offsets = RaceVars.words(t, copy.getClass());
        for (int i = 0; i < offsets.length; i++) U.putLong(copy, offsets[i], 0);
    }

    /** Reflection.filterFields: hides what the agent added, so that programs see the class they wrote. */
    @Hidden
    public static Field[] hideFields(Field[] fields) {
        int n = 0;
        for (int i = 0; i < fields.length; i++)
            if (!isOurs(fields[i].getName())) n++;
        if (n == fields.length) return fields;
        Field[] kept = new Field[n];
        n = 0;
        for (int i = 0; i < fields.length; i++)
            if (!isOurs(fields[i].getName())) kept[n++] = fields[i];
        return kept;
    }

    /** Names that no compiler makes: $race, or $r_, $w_ and $v_ before the name of the field they watch. */
    private static boolean isOurs(String name) {
        if (name.length() < 4 || name.charAt(0) != '$') return false;
        char kind = name.charAt(1);
        return name.charAt(2) == '_' && (kind == 'r' || kind == 'w' || kind == 'v') || name.startsWith("$race");
    }

    // ---- tests of JUnit and TestNG ----

    @Hidden
    public static void testStarted(Object test) {
        test(test, null);
    }

    @Hidden
    public static void testMethod(Method method) {
        test(null, method);
    }

    /** TestNG forgets the result of a test that is over. */
    @Hidden
    public static void testResult(Object result) {
        if (result == null) test(null, null);
    }

    @Hidden
    public static void testEnded() {
        test(null, null);
    }

    private static void test(Object test, Method method) {
        RaceThread t = always();
        if (t == null) return;
        t.busy++; // naming a test runs code of the framework
        try {
            if (test != null) RaceTests.started(test);
            else if (method != null) RaceTests.method(method);
            else RaceTests.ended();
        } finally {
            t.busy--;
        }
    }
}
