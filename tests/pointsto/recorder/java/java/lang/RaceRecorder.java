package java.lang;

/** What rewritten classes call; the recorder's C code does the work. */
public final class RaceRecorder {
    private RaceRecorder() {}

    /** The call at a site is about to happen. */
    public static native void call(int site);

    /** A method was entered. */
    public static native void enter(int method);

    /** A method was entered that the VM calls on its own account; others may as well unless {@code always}. */
    public static native void enterUpcall(int method, boolean always);

    /** The constructor of the object that site {@code made} makes is about to be called, at {@code site}. */
    public static native void construct(int site, int made);

    /** Object's constructor runs for this object. */
    public static native void born(Object o);

    /** The constructor has returned; {@code o} is null if the caller did not keep the object. */
    public static native void constructed(Object o, int made);

    /** A site made an array or a function object. */
    public static native void made(Object o, int site);

    /** A reference is about to be stored in a field, an element, or, with a null holder, in a static field. */
    public static native void store(Object holder, Object value, int site);

    /** The same before the holder's constructor has called its superclass's. */
    public static native void storeEarly(Object value, int site);
}
