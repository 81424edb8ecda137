/* Which calls read and which write a container, and which local variables keep theirs to themselves. */
#include "rewrite_internal.h"

#include "race/opcodes.h"

#include <stdlib.h> /* bsearch */

/* Classes and interfaces that calls name; whether the object is one of the unsynchronised classes is seen at
   run time.  Sorted. */
static const char *const owners[] = {
    "java/lang/Iterable",
    "java/lang/StringBuilder",
    "java/text/DateFormat",
    "java/text/SimpleDateFormat",
    "java/util/AbstractCollection",
    "java/util/AbstractList",
    "java/util/AbstractMap",
    "java/util/AbstractQueue",
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
    "java/util/LinkedHashMap",
    "java/util/LinkedHashSet",
    "java/util/LinkedList",
    "java/util/List",
    "java/util/Map",
    "java/util/NavigableMap",
    "java/util/NavigableSet",
    "java/util/PriorityQueue",
    "java/util/Queue",
    "java/util/SequencedCollection",
    "java/util/SequencedMap",
    "java/util/Set",
    "java/util/SortedMap",
    "java/util/SortedSet",
    "java/util/TreeMap",
    "java/util/TreeSet",
    "java/util/WeakHashMap",
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
    "clear",
    "compute",
    "computeIfAbsent",
    "computeIfPresent",
    "delete",
    "deleteCharAt",
    "ensureCapacity",
    "flip",
    "format",
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
    "replace",
    "replaceAll",
    "retainAll",
    "reverse",
    "roll",
    "set",
    "setCharAt",
    "setLength",
    "setTime",
    "setTimeInMillis",
    "setTimeZone",
    "sort",
    "trimToSize",
    "xor",
};

static const char *const readers[] = {
    "capacity",     "cardinality",     "ceiling",      "ceilingEntry", "ceilingKey",    "charAt",
    "codePointAt",  "contains",        "containsAll",  "containsKey",  "containsValue", "element",
    "equals",       "first",           "firstEntry",   "firstKey",     "floor",         "floorEntry",
    "floorKey",     "forEach",         "get",          "getFirst",     "getLast",       "getOrDefault",
    "getTime",      "getTimeInMillis", "hashCode",     "higher",       "higherEntry",   "higherKey",
    "indexOf",      "isEmpty",         "iterator",     "last",         "lastEntry",     "lastIndexOf",
    "lastKey",      "length",          "listIterator", "lower",        "lowerEntry",    "lowerKey",
    "nextClearBit", "nextSetBit",      "peek",         "peekFirst",    "peekLast",      "size",
    "spliterator",  "stream",          "subSequence",  "substring",    "toArray",       "toString",
};

static int compare(const void *key, const void *row) {
    const struct cf_str *s = key;
    const char *z = *(const char *const *)row;
    size_t n = strlen(z), common = s->n < n ? s->n : n;
    int c = memcmp(s->p, z, common);
    return c != 0 ? c : (s->n > n) - (s->n < n);
}

#define LISTED(s, table)                                                                                     \
    (bsearch(&(s), table, sizeof table / sizeof table[0], sizeof table[0], compare) != NULL)

bool rw_container_call(struct cf_str owner, struct cf_str name, bool *is_write) {
    if (!LISTED(owner, owners)) return false;
    *is_write = LISTED(name, writers);
    return *is_write || LISTED(name, readers);
}

/* --- Locals that do not share their object -------------------------------------------------------------- */

static void escape_of(struct rw_method *m, unsigned slot) {
    struct fs_type t = fs_peek(&m->walk.sim, slot);
    if (t.from != 0) m->escapes[t.from - 1] = 1;
}

static void escape_all(struct rw_method *m) {
    for (unsigned i = 0; i < m->walk.sim.now.depth; i++) escape_of(m, i);
}

static void after_call(struct rw_method *m) {
    struct cf_member_ref ref = cf_member(&m->c->cls, m->walk.insn.index);
    unsigned words = cf_desc_arg_words(ref.desc);
    bool is_write,
        on_object = m->walk.insn.op != CF_OP_INVOKESTATIC && m->walk.insn.op != CF_OP_INVOKEDYNAMIC;
    for (unsigned i = 0; i < words; i++) escape_of(m, i);
    /* The containers themselves keep no reference to `this`; their views and iterators stay with the thread
       that has the container. */
    if (on_object && !rw_container_call(ref.owner, ref.name, &is_write)) escape_of(m, words);
}

/* Looks at one instruction: which values loaded from locals does it hand on? */
static void observe(struct rw_method *m) {
    const struct cf_insn *in = &m->walk.insn;
    uint8_t op = in->op, format = cf_opcodes[op].format;
    if (op >= CF_OP_INVOKEVIRTUAL && op <= CF_OP_INVOKEDYNAMIC) {
        after_call(m);
    } else if (op == CF_OP_ASTORE || (op >= CF_OP_ASTORE_0 && op <= CF_OP_ASTORE_3)) {
        struct fs_type t = fs_peek(&m->walk.sim, 0);
        if (t.origin != FS_FRESH || t.from != 0) m->escapes[in->index] = 1;
        escape_of(m, 0);
    } else if (op == CF_OP_AASTORE || op == CF_OP_PUTFIELD || op == CF_OP_PUTSTATIC || op == CF_OP_ARETURN ||
               op == CF_OP_CHECKCAST || op == CF_OP_ATHROW) {
        escape_of(m, 0);
    } else if (format == CF_F_BRANCH || format == CF_F_BRANCH_W || format == CF_F_TABLE_SWITCH) {
        escape_all(m); /* what stays on the stack across a jump is not followed */
    }
}

/* Parameters come from somewhere else, and so does everything in code whose types are not known. */
static void start(struct rw_method *m) {
    unsigned n = cf_desc_arg_words(m->desc) + 1;
    for (unsigned i = 0; i < n && i < m->m->code->max_locals; i++) m->escapes[i] = 1;
    if (m->m->code->has_frames || m->m->code->n_handlers > 0) return;
    if (m->c->cls.major < 50) memset(m->escapes, 1, m->m->code->max_locals);
}

bool rw_find_escapes(struct rw_method *m) {
    m->escapes = ARENA_NEW_N(&m->c->arena, m->m->code->max_locals + 1u, uint8_t);
    if (m->escapes == NULL || !fs_walk_begin(&m->walk, &m->c->edit, &m->c->arena, m->m)) return false;
    start(m);
    while (fs_walk_next(&m->walk)) observe(m);
    return true;
}
