package java.lang;

import static java.lang.RaceMemory.U;

/**
 * What a class of the JDK is to the checker: a container, something that stands for one (a view, an iterator, a wrapper), or
 * neither. A subclass in the program is what its class of the JDK is, unless a class on the way has a method that calls on
 * containers may mean: it may bring its own locking.
 *
 * Worked out when a class is first met, and kept in an open-addressed table: only the boot loader's classes are in it, which
 * are never unloaded. What a class of the program is stands in its shadow.
 */
final class RaceKind {
    static final int NONE = 0, CONTAINER = 1, LINK = 2, WRAPPER = 3, ORDERED = 4, CALENDAR = 5, DECIMAL = 6, ENTRY = 7;

    private static final RaceKind NOTHING = new RaceKind(null, NONE, null, 0);
    private static final RaceKind[] TABLE = new RaceKind[2048]; // grows behind the gate, read without it
    private static final RaceGate GATE = new RaceGate();
    private static int count;
    /** Shadows of classes of the program that were asked for; each is there for good or not, whoever looks. */
    private static final RaceShadow[] RECENT = new RaceShadow[256];

    private static final String[] CONTAINERS = {
        "java.lang.StringBuilder",
        "java.text.SimpleDateFormat",
        "java.util.ArrayDeque",
        "java.util.ArrayList",
        "java.util.BitSet",
        "java.util.EnumMap",
        "java.util.HashMap",
        "java.util.IdentityHashMap",
        "java.util.JumboEnumSet",
        "java.util.LinkedList",
        "java.util.PriorityQueue",
        "java.util.RegularEnumSet",
        "java.util.Scanner",
        "java.util.StringJoiner",
        "java.util.TreeMap",
        "java.util.WeakHashMap",
        "java.util.regex.Matcher",
        "javax.crypto.Cipher",
        "javax.crypto.Mac",
    };

    /**
     * Classes of java.util and the field that leads on to the container; subclasses inherit it. The iterators of an EnumSet
     * are not here: they look at a copy.
     */
    private static final String[] LINKS = {
        "AbstractList$Itr", "this$0",
        "AbstractList$SubList", "root",
        "AbstractList$SubList$1", "this$0",
        "AbstractMap$1", "this$0",
        "AbstractMap$1$1", "i",
        "AbstractMap$2", "this$0",
        "AbstractMap$2$1", "i",
        "AbstractMap$KeyIterator", "i",
        "AbstractMap$ValueIterator", "i",
        "ArrayDeque$DeqIterator", "this$0",
        "ArrayList$Itr", "this$0",
        "ArrayList$SubList", "root",
        "ArrayList$SubList$1", "this$0",
        "Collections$AsLIFOQueue", "q",
        "Collections$CheckedCollection", "c",
        "Collections$CheckedCollection$1", "val$it",
        "Collections$CheckedList$1", "val$i",
        "Collections$CheckedMap", "m",
        "Collections$CheckedMap$CheckedEntrySet", "s",
        "Collections$CheckedMap$CheckedEntrySet$1", "val$i",
        "Collections$SetFromMap", "m",
        "Collections$UnmodifiableCollection", "c",
        "Collections$UnmodifiableCollection$1", "i",
        "Collections$UnmodifiableList$1", "i",
        "Collections$UnmodifiableMap", "m",
        "Collections$UnmodifiableMap$UnmodifiableEntrySet$1", "i",
        "EnumMap$EntrySet", "this$0",
        "EnumMap$EnumMapIterator", "this$0",
        "EnumMap$KeySet", "this$0",
        "EnumMap$Values", "this$0",
        "HashMap$EntrySet", "this$0",
        "HashMap$HashIterator", "this$0",
        "HashMap$KeySet", "this$0",
        "HashMap$Values", "this$0",
        "HashSet", "map",
        "IdentityHashMap$EntrySet", "this$0",
        "IdentityHashMap$IdentityHashMapIterator", "this$0",
        "IdentityHashMap$KeySet", "this$0",
        "IdentityHashMap$Values", "this$0",
        "LinkedHashMap$LinkedEntrySet", "this$0",
        "LinkedHashMap$LinkedHashIterator", "this$0",
        "LinkedHashMap$LinkedKeySet", "this$0",
        "LinkedHashMap$LinkedValues", "this$0",
        "LinkedHashMap$ReversedLinkedHashMapView", "base",
        "LinkedHashSet$1ReverseLinkedHashSetView", "this$0",
        "LinkedList$DescendingIterator", "this$0",
        "LinkedList$ListItr", "this$0",
        "LinkedList$ReverseOrderLinkedListView", "list",
        "PriorityQueue$Itr", "this$0",
        "ReverseOrderDequeView", "base",
        "ReverseOrderListView", "base",
        "ReverseOrderListView$DescendingIterator", "it",
        "ReverseOrderListView$DescendingListIterator", "it",
        "ReverseOrderSortedMapView", "base",
        "ReverseOrderSortedSetView", "base",
        "TreeMap$EntrySet", "this$0",
        "TreeMap$KeySet", "m",
        "TreeMap$NavigableSubMap", "m",
        "TreeMap$NavigableSubMap$EntrySetView", "this$0",
        "TreeMap$NavigableSubMap$SubMapIterator", "this$0",
        "TreeMap$PrivateEntryIterator", "this$0",
        "TreeMap$Values", "this$0",
        "TreeSet", "m",
        "WeakHashMap$EntrySet", "this$0",
        "WeakHashMap$HashIterator", "this$0",
        "WeakHashMap$KeySet", "this$0",
        "WeakHashMap$Values", "this$0",
    };

    /** Entries of maps, whose value is in them; those of other maps are made for whoever asks, or cannot be set. */
    private static final String[] ENTRIES = {
        "java.util.HashMap$Node",
        "java.util.HashMap$TreeNode",
        "java.util.LinkedHashMap$Entry",
        "java.util.TreeMap$Entry",
        "java.util.WeakHashMap$Entry",
    };

    private static final String[] WRAPPERS = {"Collections$SynchronizedCollection", "c", "Collections$SynchronizedMap", "m"};

    final Class<?> of;
    final int what;
    /** Offset of the field that leads on. */
    final long link;
    /** A set that is made of a map, and that reports are to name instead of the map. */
    final boolean isSet;
    /** Offsets of the fields that say whether a question changes the container. */
    final long[] flags;

    private RaceKind(Class<?> of, int what, long[] flags, long link) {
        this.of = of;
        this.what = what;
        this.flags = flags;
        this.link = link;
        this.isSet = of != null && what == LINK && of.getName().indexOf('$') < 0 && of.getName().endsWith("Set");
    }

    static RaceKind of(Class<?> c) {
        if (c.getClassLoader0() != null) return ofProgram(c);
        for (int i = System.identityHashCode(c) & TABLE.length - 1;; i = i + 1 & TABLE.length - 1) {
            RaceKind k = TABLE[i];
            if (k == null) return add(c);
            if (k.of == c) return k;
        }
    }

    private static RaceKind ofProgram(Class<?> c) {
        int i = System.identityHashCode(c) & RECENT.length - 1;
        RaceShadow s = RECENT[i];
        if (s == null || s.get() != c) RECENT[i] = s = RaceShadow.of(c);
        RaceKind k = s.kind;
        return k != null ? k : (s.kind = inherited(c));
    }

    private static RaceKind inherited(Class<?> c) {
        Class<?> base = c;
        while (base.getClassLoader0() != null) base = base.getSuperclass();
        RaceKind k = of(base);
        if (k.what == NONE || c.isArray() || base.getName().startsWith("javax.")) return NOTHING;
        for (Class<?> on = c; on != base; on = on.getSuperclass())
            if (hasUse(on)) return NOTHING;
        return k;
    }

    /** The table stays half empty; what comes after that is no container. */
    private static RaceKind add(Class<?> c) {
        Thread me = GATE.visitor();
        try {
            GATE.enter(me);
            return addAlone(c);
        } finally {
            if (GATE.owner == me) GATE.owner = null;
        }
    }

    private static RaceKind addAlone(Class<?> c) {
        if (count > TABLE.length / 2) return NOTHING;
        RaceKind k = make(c);
        int i = System.identityHashCode(c) & TABLE.length - 1;
        while (TABLE[i] != null) {
            if (TABLE[i].of == c) return TABLE[i];
            i = i + 1 & TABLE.length - 1;
        }
        U.storeFence();
        TABLE[i] = k;
        count++;
        return k;
    }

    private static RaceKind make(Class<?> c) {
        String name = c.getName();
        if (name.equals("java.util.LinkedHashMap")) return flagged(c, ORDERED, c, "accessOrder", "head", "tail");
        if (name.equals("java.util.GregorianCalendar"))
            return flagged(c, CALENDAR, c.getSuperclass(), "isTimeSet", "areFieldsSet", "areAllFieldsSet");
        if (name.equals("java.text.DecimalFormat"))
            return flagged(c, DECIMAL, c, "fastPathCheckNeeded", "isFastPath", "isFastPath");
        if (isListed(CONTAINERS, name)) return new RaceKind(c, CONTAINER, null, 0);
        if (isListed(ENTRIES, name)) return new RaceKind(c, ENTRY, null, 0);
        for (Class<?> k = c; k != null; k = k.getSuperclass()) {
            if (!k.getName().startsWith("java.util.")) break;
            String local = k.getName().substring(10);
            String field = row(LINKS, local);
            if (field != null) return new RaceKind(c, LINK, null, U.objectFieldOffset(k, field));
            field = row(WRAPPERS, local);
            if (field != null) return new RaceKind(c, WRAPPER, null, U.objectFieldOffset(k, field));
        }
        return new RaceKind(c, NONE, null, 0);
    }

    private static RaceKind flagged(Class<?> c, int what, Class<?> in, String f, String g, String h) {
        long[] flags = {U.objectFieldOffset(in, f), U.objectFieldOffset(in, g), U.objectFieldOffset(in, h)};
        return new RaceKind(c, what, flags, 0);
    }

    private static boolean isListed(String[] names, String name) {
        for (int i = 0; i < names.length; i++)
            if (names[i].equals(name)) return true;
        return false;
    }

    private static String row(String[] rows, String name) {
        for (int i = 0; i < rows.length; i += 2)
            if (rows[i].equals(name)) return rows[i + 1];
        return null;
    }

    private static native boolean hasUse(Class<?> c);

    /** Whether a question to the container changes it, as its fields stand now. */
    boolean changes(Object c, int use) {
        switch (what) {
            case ORDERED: // the entry asked for becomes the last one; of a single entry it is already
                return use == RaceContainers.GET
                        && U.getBoolean(c, flags[0])
                        && U.getReference(c, flags[1]) != U.getReference(c, flags[2]);
            case CALENDAR: // fields are computed when first asked for
                return !U.getBoolean(c, flags[0]) || !U.getBoolean(c, flags[1]) || !U.getBoolean(c, flags[2]);
            case DECIMAL: // but for its short cut for doubles, formatting holds a lock inside
                return use == RaceContainers.FORMAT_DOUBLE && (U.getBoolean(c, flags[0]) || U.getBoolean(c, flags[1]));
            default:
                return use == RaceContainers.FORMAT || use == RaceContainers.FORMAT_DOUBLE;
        }
    }
}
