#include "race/containercalls.h"

#include "race/opcodes.h"

#include <stdlib.h> /* bsearch */
#include <string.h>

/* Classes and interfaces that calls name; whether the object is one of the unsynchronised classes, a view or
   an iterator of one is seen at run time.  Sorted. */
static const char *const owners[] = {
    "java/lang/Iterable",
    "java/lang/StringBuilder",
    "java/text/DateFormat",
    "java/text/DecimalFormat",
    "java/text/Format",
    "java/text/NumberFormat",
    "java/text/SimpleDateFormat",
    "java/util/AbstractCollection",
    "java/util/AbstractList",
    "java/util/AbstractMap",
    "java/util/AbstractQueue",
    "java/util/AbstractSequentialList",
    "java/util/AbstractSet",
    "java/util/ArrayDeque",
    "java/util/ArrayList",
    "java/util/BitSet",
    "java/util/Calendar",
    "java/util/Collection",
    "java/util/Deque",
    "java/util/EnumMap",
    "java/util/EnumSet",
    "java/util/GregorianCalendar",
    "java/util/HashMap",
    "java/util/HashSet",
    "java/util/IdentityHashMap",
    "java/util/Iterator",
    "java/util/LinkedHashMap",
    "java/util/LinkedHashSet",
    "java/util/LinkedList",
    "java/util/List",
    "java/util/ListIterator",
    "java/util/Map",
    "java/util/NavigableMap",
    "java/util/NavigableSet",
    "java/util/PriorityQueue",
    "java/util/Queue",
    "java/util/SequencedCollection",
    "java/util/SequencedMap",
    "java/util/SequencedSet",
    "java/util/Set",
    "java/util/SortedMap",
    "java/util/SortedSet",
    "java/util/StringJoiner",
    "java/util/TreeMap",
    "java/util/TreeSet",
    "java/util/WeakHashMap",
};

/* Of these, classes whose equals and hashCode look at no element. */
static const char *const by_identity[] = {
    "java/lang/Iterable",      "java/lang/StringBuilder", "java/util/AbstractCollection",
    "java/util/AbstractQueue", "java/util/ArrayDeque",    "java/util/Collection",
    "java/util/Deque",         "java/util/Iterator",      "java/util/ListIterator",
    "java/util/PriorityQueue", "java/util/Queue",         "java/util/SequencedCollection",
    "java/util/StringJoiner",
};

static const char *const writers[] = {
    "add",
    "addAll",
    "addFirst",
    "addLast",
    "and",
    "andNot",
    "append",
    "appendCodePoint",
    "applyLocalizedPattern",
    "applyPattern",
    "clear",
    "compute",
    "computeIfAbsent",
    "computeIfPresent",
    "delete",
    "deleteCharAt",
    "ensureCapacity",
    "flip",
    "insert",
    "merge",
    "offer",
    "offerFirst",
    "offerLast",
    "or",
    "parse",
    "poll",
    "pollFirst",
    "pollFirstEntry",
    "pollLast",
    "pollLastEntry",
    "pop",
    "push",
    "put",
    "putAll",
    "putFirst",
    "putIfAbsent",
    "putLast",
    "remove",
    "removeAll",
    "removeFirst",
    "removeFirstOccurrence",
    "removeIf",
    "removeLast",
    "removeLastOccurrence",
    "repeat",
    "replace",
    "replaceAll",
    "retainAll",
    "reverse",
    "roll",
    "set",
    "set2DigitYearStart",
    "setCalendar",
    "setCharAt",
    "setDateFormatSymbols",
    "setDecimalFormatSymbols",
    "setEmptyValue",
    "setFirstDayOfWeek",
    "setGroupingSize",
    "setGroupingUsed",
    "setLength",
    "setLenient",
    "setMaximumFractionDigits",
    "setMaximumIntegerDigits",
    "setMinimalDaysInFirstWeek",
    "setMinimumFractionDigits",
    "setMinimumIntegerDigits",
    "setNumberFormat",
    "setRoundingMode",
    "setTime",
    "setTimeInMillis",
    "setTimeZone",
    "sort",
    "trimToSize",
    "xor",
};

static const char *const readers[] = {
    "after",
    "before",
    "capacity",
    "cardinality",
    "ceiling",
    "ceilingEntry",
    "ceilingKey",
    "charAt",
    "chars",
    "codePointAt",
    "codePointBefore",
    "codePointCount",
    "codePoints",
    "compareTo",
    "contains",
    "containsAll",
    "containsKey",
    "containsValue",
    "element",
    "equals",
    "first",
    "firstEntry",
    "firstKey",
    "floor",
    "floorEntry",
    "floorKey",
    "forEach",
    "forEachRemaining",
    "getChars",
    "getFirst",
    "getLast",
    "getTime",
    "getTimeInMillis",
    "hashCode",
    "higher",
    "higherEntry",
    "higherKey",
    "indexOf",
    "intersects",
    "isEmpty",
    "last",
    "lastEntry",
    "lastIndexOf",
    "lastKey",
    "length",
    "lower",
    "lowerEntry",
    "lowerKey",
    "next",
    "nextClearBit",
    "nextSetBit",
    "peek",
    "peekFirst",
    "peekLast",
    "previous",
    "previousClearBit",
    "previousSetBit",
    "size",
    "subSequence",
    "substring",
    "toArray",
    "toByteArray",
    "toLongArray",
    "toPattern",
    "toString",
};

/* Classes that work on a state of their own with almost every call ... Sorted. */
static const char *const machines[] = {"java/util/Scanner", "java/util/regex/Matcher", "javax/crypto/Cipher",
                                       "javax/crypto/Mac"};
/* ... but for these questions about it ... */
static const char *const questions[] = {
    "delimiter",     "end",
    "getIV",         "getOutputSize",
    "getParameters", "group",
    "groupCount",    "hasAnchoringBounds",
    "hasMatch",      "hasTransparentBounds",
    "hitEnd",        "ioException",
    "locale",        "match",
    "namedGroups",   "pattern",
    "radix",         "regionEnd",
    "regionStart",   "requireEnd",
    "start",         "toMatchResult",
};
/* ... and these, whose answer never changes. */
static const char *const constants[] = {"equals",       "getAlgorithm", "getBlockSize", "getClass",
                                        "getMacLength", "getProvider",  "hashCode",     "notify",
                                        "notifyAll",    "toString",     "wait"};

/* Left without a lock by the synchronized wrappers: the caller is to hold it while it iterates. */
static const char *const iterations[] = {"descendingIterator", "iterator",    "listIterator",
                                         "parallelStream",     "spliterator", "stream"};

/* Calls of the JDK that read (or write) what they are given, and keep no reference; bit i is the i-th
 * argument. */
static const struct {
    const char *owner, *name;
    uint8_t reads, writes;
} borrowers[] = {
    {"java/io/PrintStream", "print", 1, 0},
    {"java/io/PrintStream", "println", 1, 0},
    {"java/lang/String", "join", 2, 0},
    {"java/lang/String", "valueOf", 1, 0},
    {"java/lang/StringBuilder", "append", 1, 0},
    {"java/lang/StringBuilder", "insert", 2, 0},
    {"java/util/Collections", "addAll", 0, 1},
    {"java/util/Collections", "binarySearch", 1, 0},
    {"java/util/Collections", "copy", 2, 1},
    {"java/util/Collections", "disjoint", 3, 0},
    {"java/util/Collections", "fill", 0, 1},
    {"java/util/Collections", "frequency", 1, 0},
    {"java/util/Collections", "indexOfSubList", 3, 0},
    {"java/util/Collections", "lastIndexOfSubList", 3, 0},
    {"java/util/Collections", "max", 1, 0},
    {"java/util/Collections", "min", 1, 0},
    {"java/util/Collections", "replaceAll", 0, 1},
    {"java/util/Collections", "reverse", 0, 1},
    {"java/util/Collections", "rotate", 0, 1},
    {"java/util/Collections", "shuffle", 0, 1},
    {"java/util/Collections", "sort", 0, 1},
    {"java/util/Collections", "swap", 0, 1},
    {"java/util/EnumSet", "copyOf", 1, 0},
    {"java/util/List", "copyOf", 1, 0},
    {"java/util/Map", "copyOf", 1, 0},
    {"java/util/Set", "copyOf", 1, 0},
};

static const char *const bulk_names[] = {"addAll", "containsAll", "putAll", "removeAll", "retainAll"};

static int compare(const void *key, const void *row) {
    const struct cf_str *s = key;
    const char *z = *(const char *const *)row;
    size_t n = strlen(z), common = s->n < n ? s->n : n;
    int c = memcmp(s->p, z, common);
    return c != 0 ? c : (s->n > n) - (s->n < n);
}

#define LISTED(s, table)                                                                                     \
    (bsearch(&(s), table, sizeof table / sizeof table[0], sizeof table[0], compare) != NULL)

bool cc_is_named(struct cf_str cls) {
    return LISTED(cls, owners);
}

bool cc_is_use(struct cf_str method) {
    return LISTED(method, writers) || LISTED(method, readers) || LISTED(method, iterations) ||
           cf_str_is(method, "get") || cf_str_is(method, "getOrDefault") || cf_str_is(method, "format");
}

static bool starts(struct cf_str s, const char *z) {
    size_t n = strlen(z);
    return s.n >= n && memcmp(s.p, z, n) == 0;
}

static enum cc_use use_of_machine(struct cf_str name) {
    if (LISTED(name, constants)) return CC_NONE;
    return LISTED(name, questions) ? CC_READ : CC_WRITE;
}

/* An entry of a map is a location of its own: the value in it. */
static enum cc_use use_of_entry(struct cf_str name) {
    if (cf_str_is(name, "setValue")) return CC_WRITE;
    return cf_str_is(name, "getValue") ? CC_READ : CC_NONE;
}

static enum cc_use use_of(const struct cf_member_ref *ref) {
    if (LISTED(ref->owner, machines)) return use_of_machine(ref->name);
    if (cf_str_is(ref->owner, "java/util/Map$Entry")) return use_of_entry(ref->name);
    if (!LISTED(ref->owner, owners)) return CC_NONE;
    if (LISTED(ref->name, writers)) return CC_WRITE;
    if (LISTED(ref->name, iterations)) return CC_ITERATE;
    if (cf_str_is(ref->name, "get") || cf_str_is(ref->name, "getOrDefault")) return CC_GET;
    if (cf_str_is(ref->name, "format"))
        return cf_str_is(ref->desc, "(D)Ljava/lang/String;") ? CC_FORMAT_DOUBLE : CC_FORMAT;
    if (!LISTED(ref->name, readers)) return CC_NONE;
    bool compares = cf_str_is(ref->name, "equals") || cf_str_is(ref->name, "hashCode");
    return compares && LISTED(ref->owner, by_identity) ? CC_NONE : CC_READ;
}

/* The arguments of these declared types, as bits; `any`: of any class or interface but String. */
static uint8_t arguments_of(struct cf_str desc, bool any) {
    static const char *const types[] = {"Ljava/util/Collection;", "Ljava/util/EnumMap;",
                                        "Ljava/util/Map;",        "Ljava/util/PriorityQueue;",
                                        "Ljava/util/SortedMap;",  "Ljava/util/SortedSet;"};
    uint8_t found = 0;
    unsigned arg = 0;
    for (uint32_t i = 1; i < desc.n && desc.p[i] != ')' && arg < 8; arg++) {
        uint32_t from = i;
        while (i < desc.n && desc.p[i] == '[') i++;
        if (i < desc.n && desc.p[i] == 'L')
            while (i < desc.n && desc.p[i] != ';') i++;
        i++;
        struct cf_str type = {desc.p + from, i <= desc.n ? i - from : 0};
        bool wanted = any ? type.n > 1 && type.p[0] == 'L' && !cf_str_is(type, "Ljava/lang/String;")
                          : LISTED(type, types);
        if (wanted) found = (uint8_t)(found | 1u << arg);
    }
    return found;
}

static void borrowed(const struct cf_member_ref *ref, struct cc_touched *t) {
    uint8_t objects = arguments_of(ref->desc, true);
    if (objects == 0) return;
    for (size_t i = 0; i < sizeof borrowers / sizeof borrowers[0]; i++) {
        if (!cf_str_is(ref->owner, borrowers[i].owner) || !cf_str_is(ref->name, borrowers[i].name)) continue;
        t->reads = borrowers[i].reads & objects;
        t->writes = borrowers[i].writes & objects;
        return;
    }
}

struct cc_touched cc_call(uint8_t op, const struct cf_member_ref *ref) {
    struct cc_touched t = {0};
    if (op == CF_OP_INVOKEDYNAMIC) {
        /* String concatenation asks its operands for their contents. */
        if (starts(ref->name, "makeConcat")) t.reads = arguments_of(ref->desc, true);
        return t;
    }
    if (op == CF_OP_INVOKESPECIAL && cf_str_is(ref->name, "<init>")) {
        if (starts(ref->owner, "java/util/")) t.reads = arguments_of(ref->desc, false);
        return t;
    }
    if (op != CF_OP_INVOKESTATIC) t.receiver = use_of(ref);
    t.bulk = t.receiver != CC_NONE && LISTED(ref->name, bulk_names);
    if (t.bulk)
        t.reads = arguments_of(ref->desc, false);
    else
        borrowed(ref, &t);
    return t;
}
