/* The JDK's unsynchronised collections, builders and formats: a call on one is an access of the whole. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* The same classes as the run-time checker watches, by exact class: a subclass may bring its own locking. */
static const char *const container_names[] = {
    "java/util/ArrayList",        "java/util/HashMap",         "java/util/LinkedHashMap",
    "java/util/LinkedList",       "java/util/HashSet",         "java/util/LinkedHashSet",
    "java/util/TreeMap",          "java/util/TreeSet",         "java/util/ArrayDeque",
    "java/util/PriorityQueue",    "java/util/IdentityHashMap", "java/util/WeakHashMap",
    "java/util/EnumMap",          "java/util/BitSet",          "java/lang/StringBuilder",
    "java/text/SimpleDateFormat", "java/text/DecimalFormat",   "java/util/GregorianCalendar",
    "java/util/StringJoiner",
};

/* Methods that only read, whatever the container; sorted.  All others write. */
static const char *const readers[] = {
    "capacity",
    "cardinality",
    "ceiling",
    "ceilingEntry",
    "ceilingKey",
    "charAt",
    "chars",
    "clone",
    "codePointAt",
    "codePointBefore",
    "codePointCount",
    "codePoints",
    "compareTo",
    "comparator",
    "contains",
    "containsAll",
    "containsKey",
    "containsValue",
    "descendingIterator",
    "descendingKeySet",
    "descendingMap",
    "descendingSet",
    "element",
    "entrySet",
    "equals",
    "first",
    "firstEntry",
    "firstKey",
    "floor",
    "floorEntry",
    "floorKey",
    "forEach",
    "get",
    "getChars",
    "getClass",
    "getFirst",
    "getLast",
    "getOrDefault",
    "hashCode",
    "headMap",
    "headSet",
    "higher",
    "higherEntry",
    "higherKey",
    "indexOf",
    "intersects",
    "isEmpty",
    "iterator",
    "keySet",
    "last",
    "lastEntry",
    "lastIndexOf",
    "lastKey",
    "length",
    "listIterator",
    "lower",
    "lowerEntry",
    "lowerKey",
    "navigableKeySet",
    "nextClearBit",
    "nextSetBit",
    "offsetByCodePoints",
    "parallelStream",
    "peek",
    "peekFirst",
    "peekLast",
    "previousClearBit",
    "previousSetBit",
    "reversed",
    "size",
    "spliterator",
    "stream",
    "subList",
    "subMap",
    "subSequence",
    "subSet",
    "substring",
    "tailMap",
    "tailSet",
    "toArray",
    "toByteArray",
    "toLongArray",
    "toString",
    "values",
};

enum { N_NAMES = sizeof container_names / sizeof *container_names };

struct containers {
    class_id ids[N_NAMES];
};

void containers_init(struct races *r) {
    r->containers = ARENA_NEW(&r->arena, struct containers);
    for (size_t i = 0; i < N_NAMES; i++) r->containers->ids[i] = program_class(r->p, container_names[i]);
}

bool container_class(const struct races *r, class_id c) {
    for (size_t i = 0; i < N_NAMES; i++) {
        if (class_id_eq(r->containers->ids[i], c)) return true;
    }
    return false;
}

bool container_type(struct races *r, class_id named) {
    if (named.v == CLASS_OBJECT) return false;
    for (size_t i = 0; i < N_NAMES; i++) {
        if (program_is_subtype(r->p, r->containers->ids[i], named)) return true;
    }
    return false;
}

static bool only_reads(const char *name) {
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        if (strcmp(readers[i], name) == 0) return true;
    }
    return false;
}

/* Calendars and formats compute fields inside even when they are asked a question. */
static bool always_writes(const struct races *r, class_id c) {
    return class_is(r, c, "java/text/SimpleDateFormat") || class_is(r, c, "java/text/DecimalFormat") ||
           class_is(r, c, "java/text/DateFormat") || class_is(r, c, "java/text/NumberFormat") ||
           class_is(r, c, "java/text/Format") || class_is(r, c, "java/util/Calendar") ||
           class_is(r, c, "java/util/GregorianCalendar");
}

enum container_use container_use(const struct races *r, const struct member_ref *ref) {
    const char *name = program_str(r->p, ref->name);
    /* Construction is the allocating thread's own affair; these belong to every object. */
    static const char *const object_methods[] = {"<init>", "getClass", "wait", "notify", "notifyAll"};
    for (size_t i = 0; i < sizeof object_methods / sizeof *object_methods; i++) {
        if (strcmp(name, object_methods[i]) == 0) return CONTAINER_NONE;
    }
    if (always_writes(r, ref->cls)) return CONTAINER_WRITE;
    return only_reads(name) ? CONTAINER_READ : CONTAINER_WRITE;
}
