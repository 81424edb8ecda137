#include "evidence.h"

#include "state.h"

enum { SITES = CK_SITE_MAX + 1, RAN_WORDS = SITES / 64 };

bool evidence_init(struct evidence *e, struct memory *m, bool wanted) {
    pthread_mutex_init(&e->lock, NULL);
    if (!wanted) return true;
    /* Zeroed pages that cost nothing until they are used. */
    e->as = memory_must(m, SITES * sizeof *e->as);
    e->ran = memory_must(m, RAN_WORDS * sizeof *e->ran);
    return e->as && e->ran;
}

static size_t table_size(size_t places) {
    return sizeof(struct pair_table) + places * sizeof(struct pair_state *);
}

void evidence_release(struct evidence *e, struct memory *m) {
    struct pair_table *t = atomic_load(&e->table); /* the newest has all pairs */
    for (size_t i = 0; t && i < t->places; i++) memory_put(m, t->at[i], sizeof(struct pair_state));
    for (struct pair_table *older; t; t = older) {
        older = t->older;
        memory_put(m, t, table_size(t->places));
    }
    memory_put(m, e->as, SITES * sizeof *e->as); /* which may be NULL */
    memory_put(m, e->ran, RAN_WORDS * sizeof *e->ran);
    pthread_mutex_destroy(&e->lock);
}

static size_t pair_hash(uint32_t a, uint32_t b) {
    return (size_t)(((uint64_t)a << 32 | b) * UINT64_C(0x9E3779B97F4A7C15) >> 24);
}

/* Of a <= b. */
static struct pair_state *pair_find(struct evidence *e, uint32_t a, uint32_t b) {
    struct pair_table *t = atomic_load_explicit(&e->table, memory_order_acquire);
    for (size_t i = pair_hash(a, b); t; i++) {
        struct pair_state *p = atomic_load_explicit(&t->at[i & (t->places - 1)], memory_order_acquire);
        if (!p || (p->site_a == a && p->site_b == b)) return p;
    }
    return NULL;
}

static void table_put(struct pair_table *t, struct pair_state *p) {
    size_t i = pair_hash(p->site_a, p->site_b);
    while (atomic_load_explicit(&t->at[i & (t->places - 1)], memory_order_relaxed)) i++;
    atomic_store_explicit(&t->at[i & (t->places - 1)], p, memory_order_release);
}

/* Makes room for one more pair.  Under lock. */
static bool table_grow(struct evidence *e, struct memory *m) {
    struct pair_table *old = atomic_load(&e->table);
    if (old && e->count * 2 < old->places) return true;
    size_t places = old ? old->places * 2 : 256;
    struct pair_table *t = memory_must(m, table_size(places));
    if (!t) return false;
    t->places = places;
    t->older = old;
    for (size_t i = 0; old && i < old->places; i++)
        if (old->at[i]) table_put(t, old->at[i]);
    atomic_store_explicit(&e->table, t, memory_order_release);
    return true;
}

/* NULL: out of memory.  Under lock. */
static struct pair_state *pair_insert(struct evidence *e, struct memory *m, uint32_t a, uint32_t b,
                                      bool wanted) {
    struct pair_state *p = pair_find(e, a, b);
    if (p || !table_grow(e, m) || !(p = memory_must(m, sizeof *p))) return p;
    p->site_a = a;
    p->site_b = b;
    p->wanted = wanted;
    atomic_init(&p->common, PAIR_NO_LOCKSET);
    atomic_init(&p->likely, PAIR_NO_LOCKSET);
    e->count++;
    table_put(atomic_load(&e->table), p);
    return p;
}

/* The state of two sites that meet; NULL if nobody wants to know. */
static struct pair_state *pair_met(struct checker *ck, uint32_t site_a, uint32_t site_b) {
    struct evidence *e = &ck->evidence;
    uint32_t a = atomic_load_explicit(&e->as[site_a & CK_SITE_MAX], memory_order_acquire);
    uint32_t b = atomic_load_explicit(&e->as[site_b & CK_SITE_MAX], memory_order_acquire);
    if (!a || !b) return NULL;
    if (a > b) return pair_met(ck, site_b, site_a);
    struct pair_state *p = pair_find(e, a, b);
    if (!p) {
        bool wanted = !ck->config.is_pair || ck->config.is_pair(a, b);
        pthread_mutex_lock(&e->lock);
        p = pair_insert(e, &ck->memory, a, b, wanted);
        pthread_mutex_unlock(&e->lock);
    }
    return p && p->wanted ? p : NULL;
}

void ck_site_watch(struct checker *ck, uint32_t site, uint32_t as) {
    if (!ck->evidence.as) return;
    atomic_store_explicit(&ck->evidence.as[site & CK_SITE_MAX], as & CK_SITE_MAX, memory_order_release);
}

void ck_site_ran(struct checker *ck, uint32_t site) {
    if (!ck->evidence.as) return;
    site = atomic_load_explicit(&ck->evidence.as[site & CK_SITE_MAX], memory_order_acquire);
    atomic_fetch_or_explicit(&ck->evidence.ran[site / 64], UINT64_C(1) << site % 64, memory_order_relaxed);
}

bool ck_site_has_ran(struct checker *ck, uint32_t site) {
    site &= CK_SITE_MAX;
    return site && ck->evidence.as &&
           (atomic_load_explicit(&ck->evidence.ran[site / 64], memory_order_relaxed) >> site % 64 & 1);
}

struct ck_pair ck_pair_get(struct checker *ck, uint32_t site_a, uint32_t site_b) {
    struct ck_pair out = {0};
    struct pair_state *p =
        pair_find(&ck->evidence, site_a < site_b ? site_a : site_b, site_a < site_b ? site_b : site_a);
    if (!p) return out;
    out.met = atomic_load(&p->met);
    out.raced = atomic_load(&p->raced);
    out.predicted = atomic_load(&p->predicted);
    for (int i = 0; i < CK_EDGE_KINDS; i++) {
        out.ordered[i] = atomic_load(&p->ordered[i]);
        for (int k = 0; k < CK_VIAS; k++) out.via[i][k] = atomic_load(&p->via[i][k]);
    }
    uint32_t common = atomic_load(&p->common);
    if (common == PAIR_NO_LOCKSET) common = atomic_load(&p->likely);
    if (common != PAIR_NO_LOCKSET) ck_lockset_keys(ck, (ck_lockset_id){common}, &out.lock, 1);
    return out;
}

/* The locks that both accesses held and that exclude each other there. */
static ck_lockset_id common_locks(struct thread *t, const struct ck_held *then, uint32_t count_then) {
    struct ck_held now[CK_RACE_LOCKS];
    uint64_t keys[CK_RACE_LOCKS];
    uint32_t n = locks_now(t, now), out = 0;
    for (uint32_t i = 0; i < n; i++) {
        bool both = false;
        for (uint32_t k = 0; k < count_then; k++)
            both |= now[i].key == then[k].key && !(now[i].shared && then[k].shared);
        if (!both) continue;
        uint32_t at = out;
        while (at > 0 && keys[at - 1] > now[i].key) at--;
        if (at > 0 && keys[at - 1] == now[i].key) continue; /* held twice */
        for (uint32_t k = out++; k > at; k--) keys[k] = keys[k - 1];
        keys[at] = now[i].key;
    }
    return (ck_lockset_id){intern_put(&t->ck->locksets, keys, out)};
}

/* How the thread learnt of the word in its hard view. */
static struct hops hard_hops(struct thread *t, uint64_t word) {
    struct timeline *line = &t->slot->line[VIEW_HARD];
    pthread_mutex_lock(&t->slot->lock);
    const struct news *e = timeline_first(line, ck_word_slot(word), ck_word_clock(word));
    struct hops hops = e ? e->hops : (struct hops){.kinds = 1u << CK_BY_OTHER};
    for (size_t i = 0; !e && i < line->mark_count; i++) {
        if (snapshot_get(line->marks[i].base, ck_word_slot(word)) < ck_word_clock(word)) continue;
        if (line->marks[i].origin) hops.kinds = 1u << CK_BY_START;
        break;
    }
    pthread_mutex_unlock(&t->slot->lock);
    return hops;
}

/* The most telling kind if there are several. */
static enum ck_edge kind_told(struct hops hops) {
    static const enum ck_edge telling[] = {CK_BY_HANDOFF, CK_BY_VOLATILE, CK_BY_OTHER, CK_BY_JOIN,
                                           CK_BY_START};
    for (size_t i = 0; i < sizeof telling / sizeof *telling; i++)
        if (hops.kinds >> telling[i] & 1) return telling[i];
    return CK_BY_OTHER;
}

/* Adds the site if it is new and there is room. */
static void via_add(_Atomic uint32_t via[CK_VIAS], uint32_t site) {
    for (int i = 0; site && i < CK_VIAS; i++) {
        uint32_t old = 0;
        if (atomic_compare_exchange_strong(&via[i], &old, site) || old == site) return;
    }
}

static void ordered_hard(struct thread *t, struct pair_state *p, uint64_t earlier) {
    struct hops hops = hard_hops(t, earlier);
    enum ck_edge kind = kind_told(hops);
    count(&p->ordered[kind]);
    via_add(p->via[kind], hops.via);
}

/* Counts the meeting and narrows *all down to the locks that it shares with the ones before. */
static void ordered_by_lock(struct thread *t, struct pair_state *p, _Atomic uint32_t *all,
                            ck_lockset_id locks) {
    count(&p->ordered[CK_BY_LOCK]);
    uint32_t old = atomic_load(all), next;
    do {
        next = old == PAIR_NO_LOCKSET ? locks.v : ck_lockset_common(t->ck, (ck_lockset_id){old}, locks).v;
    } while (next != old && !atomic_compare_exchange_strong(all, &old, next));
}

static void meet(struct thread *t, uint64_t earlier, uint32_t site) {
    if (!earlier || ck_word_slot(earlier) == t->slot->number) return;
    struct pair_state *p = pair_met(t->ck, site, ck_word_site(earlier));
    if (!p) return;
    count(&p->met);
    if (!thread_covers(t, earlier)) {
        count(&p->raced);
        return;
    }
    struct ck_held then[CK_RACE_LOCKS];
    uint32_t n;
    bool known = locks_at(t->ck, earlier, then, &n);
    ck_lockset_id locks = common_locks(t, then, n);
    if (locks.v)
        ordered_by_lock(t, p, &p->common, locks);
    else if (thread_covers_hard(t, earlier))
        ordered_hard(t, p, earlier);
    /* Without knowing the earlier locks, those held now must be given the benefit of the doubt. */
    else if (!known && (locks = ck_lockset_now(&t->pub)).v)
        ordered_by_lock(t, p, &p->likely, locks);
    else
        count(&p->predicted);
}

void ck_meet(struct ck_thread *pub, uint64_t earlier, uint32_t site) {
    struct thread *t = thread_of(pub);
    if (!t->ck->config.evidence) return;
    if (!ck_word_is_set(earlier)) {
        meet(t, earlier, site);
        return;
    }
    if (!thread_tables(t)) return;
    uint32_t n = reads_copy(t, earlier);
    for (uint32_t i = 0; i < n; i++) meet(t, t->words[i], site);
}

void ck_meet_frozen(struct ck_thread *pub, uint64_t earlier, uint32_t site) {
    struct checker *ck = thread_of(pub)->ck;
    struct pair_state *p = ck->config.evidence ? pair_met(ck, site, ck_word_site(earlier)) : NULL;
    if (!p) return;
    count(&p->met);
    count(&p->ordered[CK_BY_OTHER]);
}
