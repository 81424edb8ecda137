#include "clock.h"

#include <string.h> /* memcpy */

enum { LOG_CAP_TIGHT = 128 };

struct page {
    _Atomic uint32_t refs; /* views and snapshots that hold it; the holder of the only one may write */
    uint32_t clocks[CK_PAGE_SLOTS];
};

/* Stands for every page of zeros; never counted, never written. */
static struct page zero_page;

static struct page *page_of(uint32_t *clocks) {
    return (struct page *)((char *)clocks - offsetof(struct page, clocks));
}

static bool page_is_zero(const uint32_t *clocks) {
    return clocks == zero_page.clocks;
}

static uint32_t *page_retain(uint32_t *clocks) {
    if (!page_is_zero(clocks)) atomic_fetch_add_explicit(&page_of(clocks)->refs, 1, memory_order_relaxed);
    return clocks;
}

static void page_put(uint32_t *clocks, struct memory *m) {
    if (page_is_zero(clocks)) return;
    struct page *p = page_of(clocks);
    /* acq_rel: the last holder must see all reads of the others finished before it frees or writes. */
    if (atomic_fetch_sub_explicit(&p->refs, 1, memory_order_acq_rel) == 1) memory_put(m, p, sizeof *p);
}

/* Makes *clocks a page that only its holder has.  false: out of memory. */
static bool page_own(uint32_t **clocks, struct memory *m) {
    if (!page_is_zero(*clocks) && atomic_load_explicit(&page_of(*clocks)->refs, memory_order_acquire) == 1)
        return true;
    struct page *p = memory_must(m, sizeof *p);
    if (!p) return false;
    atomic_init(&p->refs, 1);
    memcpy(p->clocks, *clocks, sizeof p->clocks);
    page_put(*clocks, m);
    *clocks = p->clocks;
    return true;
}

bool view_init(struct view *v, struct memory *m) {
    v->top = 0;
    v->table = memory_must(m, CK_PAGES * sizeof *v->table);
    if (!v->table) return false;
    for (size_t i = 0; i < CK_PAGES; i++) v->table[i] = zero_page.clocks;
    return true;
}

void view_release(struct view *v, struct memory *m) {
    if (!v->table) return;
    for (size_t i = 0; i < v->top; i++) page_put(v->table[i], m);
    memory_put(m, v->table, CK_PAGES * sizeof *v->table);
    v->table = NULL;
}

bool view_set(struct view *v, struct memory *m, uint32_t slot, uint32_t clock) {
    uint32_t page = slot / CK_PAGE_SLOTS;
    if (!page_own(&v->table[page], m)) return false;
    v->table[page][slot % CK_PAGE_SLOTS] = clock;
    if (page >= v->top) v->top = page + 1;
    return true;
}

static size_t snapshot_size(uint32_t count) {
    return sizeof(struct snapshot) + count * sizeof(uint32_t *);
}

static struct snapshot *snapshot_make(struct memory *m, uint32_t *const *pages, uint32_t from,
                                      uint32_t count) {
    struct snapshot *s = memory_must(m, snapshot_size(count));
    if (!s) return NULL;
    atomic_init(&s->refs, 1);
    s->count = count;
    for (uint32_t i = 0; i < count; i++) s->pages[i] = i < from ? page_retain(pages[i]) : zero_page.clocks;
    return s;
}

static bool snapshot_set(struct snapshot *s, struct memory *m, uint32_t slot, uint32_t clock) {
    uint32_t page = slot / CK_PAGE_SLOTS;
    if (!page_own(&s->pages[page], m)) return false;
    s->pages[page][slot % CK_PAGE_SLOTS] = clock;
    return true;
}

struct snapshot *snapshot_take(const struct view *v, struct memory *m, uint32_t slot, uint32_t clock) {
    uint32_t pages = slot / CK_PAGE_SLOTS + 1;
    struct snapshot *s = snapshot_make(m, v->table, v->top, v->top > pages ? v->top : pages);
    if (s && slot && !snapshot_set(s, m, slot, clock)) {
        snapshot_put(s, m);
        return NULL;
    }
    return s;
}

struct snapshot *snapshot_retain(struct snapshot *s) {
    if (s) atomic_fetch_add_explicit(&s->refs, 1, memory_order_relaxed);
    return s;
}

void snapshot_put(struct snapshot *s, struct memory *m) {
    if (!s || atomic_fetch_sub_explicit(&s->refs, 1, memory_order_acq_rel) != 1) return;
    for (uint32_t i = 0; i < s->count; i++) page_put(s->pages[i], m);
    memory_put(m, s, snapshot_size(s->count));
}

uint32_t snapshot_get(const struct snapshot *s, uint32_t slot) {
    uint32_t page = slot / CK_PAGE_SLOTS;
    return s && page < s->count ? s->pages[page][slot % CK_PAGE_SLOTS] : 0;
}

void view_adopt(struct view *v, const struct snapshot *s) {
    for (uint32_t i = 0; i < s->count; i++) v->table[i] = page_retain(s->pages[i]);
    v->top = s->count;
}

/* Lists slots of one page where `now` is above `before`. */
static bool page_diff(const uint32_t *now, const uint32_t *before, uint32_t page, struct memory *m,
                      struct news template, uint32_t own, struct news_list *news) {
    for (uint32_t i = 0; i < CK_PAGE_SLOTS; i++) {
        uint32_t slot = page * CK_PAGE_SLOTS + i;
        if (now[i] <= before[i] || slot == own) continue;
        template.slot = (uint16_t)slot;
        template.clock = now[i];
        if (!news_add(news, m, template)) return false;
    }
    return true;
}

/* Whether the page `b` can stand in for `a` in a join of the two.  A page with the owner's own slot never is.
 */
static bool page_is_below(const uint32_t *a, const uint32_t *b) {
    if (page_is_zero(a)) return true;
    for (uint32_t i = 0; i < CK_PAGE_SLOTS; i++)
        if (a[i] > b[i]) return false;
    return true;
}

bool view_join(struct view *v, struct memory *m, const struct snapshot *s, struct hops hops,
               struct news_list *news) {
    if (!s) return true;
    for (uint32_t p = 0; p < s->count; p++) {
        /* Threads that come from one parent share most pages: nothing to compare. */
        if (s->pages[p] == v->table[p] || page_is_zero(s->pages[p])) continue;
        if (news && !page_diff(s->pages[p], v->table[p], p, m, (struct news){.hops = hops}, 0, news))
            return false;
        if (page_is_below(v->table[p], s->pages[p])) {
            page_put(v->table[p], m);
            v->table[p] = page_retain(s->pages[p]);
            if (p >= v->top) v->top = p + 1;
            continue;
        }
        for (uint32_t i = 0; i < CK_PAGE_SLOTS; i++) {
            if (s->pages[p][i] <= v->table[p][i]) continue;
            if (!view_set(v, m, p * CK_PAGE_SLOTS + i, s->pages[p][i])) return false;
        }
    }
    return true;
}

bool view_diff(const struct view *v, struct memory *m, const struct snapshot *s, uint32_t own, size_t max,
               struct news_list *news) {
    for (uint32_t p = 0; p < v->top && news->count <= max; p++) {
        const uint32_t *before = s && p < s->count ? s->pages[p] : zero_page.clocks;
        if (before == v->table[p]) continue;
        struct news started = {.hops = {.kinds = 1 << CK_BY_START}};
        if (!page_diff(v->table[p], before, p, m, started, own, news)) return false;
    }
    return true;
}

bool news_add(struct news_list *list, struct memory *m, struct news item) {
    if (!memory_grow(m, (void **)&list->items, &list->cap, list->count + 1, sizeof item)) return false;
    list->items[list->count++] = item;
    return true;
}

void news_release(struct news_list *list, struct memory *m) {
    memory_put(m, list->items, list->cap * sizeof *list->items);
    *list = (struct news_list){0};
}

void timeline_release(struct timeline *line, struct memory *m) {
    memory_put(m, line->log, line->cap * sizeof *line->log);
    for (size_t i = 0; i < line->mark_count; i++) snapshot_put(line->marks[i].base, m);
    *line = (struct timeline){0};
}

/* First entry stamped after `at`. */
static size_t timeline_after(const struct timeline *line, uint32_t at) {
    size_t lo = 0, hi = line->count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (line->log[mid].at <= at)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Gives back most of a log that has become short. */
static void log_shrink(struct timeline *line, struct memory *m) {
    size_t cap = line->count * 2 + 8;
    if (line->cap < 4 * cap) return;
    struct news *log = memory_must(m, cap * sizeof *log);
    if (!log) return;
    memcpy(log, line->log, line->count * sizeof *log);
    memory_put(m, line->log, line->cap * sizeof *log);
    line->log = log;
    line->cap = cap;
}

/* Throws away the entries up to the first mark. */
static void log_cut(struct timeline *line, struct memory *m) {
    size_t n = timeline_after(line, line->marks[0].at);
    if (!n) return;
    line->count -= n;
    memmove(line->log, line->log + n, line->count * sizeof *line->log);
    log_shrink(line, m);
}

static void marks_drop(struct timeline *line, struct memory *m, size_t n) {
    for (size_t i = 0; i < n; i++) snapshot_put(line->marks[i].base, m);
    line->mark_count -= n;
    memmove(line->marks, line->marks + n, line->mark_count * sizeof *line->marks);
    log_cut(line, m);
}

void timeline_mark(struct timeline *line, struct memory *m, struct mark mark) {
    if (line->mark_count == MARKS_MAX) marks_drop(line, m, 1);
    line->marks[line->mark_count++] = mark;
    if (line->mark_count == 1) log_cut(line, m);
}

void timeline_forget(struct timeline *line, struct memory *m) {
    if (line->mark_count > 1) marks_drop(line, m, line->mark_count - 1);
}

const struct mark *timeline_mark_for(const struct timeline *line, uint32_t known, uint32_t clock) {
    size_t n = line->mark_count;
    while (n > 1 && line->marks[n - 1].at > clock) n--;
    return n && known < line->marks[n - 1].at ? &line->marks[n - 1] : NULL;
}

/* The only mark with the first n entries added.  NULL: out of memory. */
static struct snapshot *fold_base(const struct timeline *line, struct memory *m, size_t n) {
    const struct snapshot *base = line->mark_count ? line->marks[0].base : NULL;
    uint32_t from = base ? base->count : 0, pages = from;
    for (size_t i = 0; i < n; i++) {
        uint32_t page = line->log[i].slot / CK_PAGE_SLOTS;
        if (page >= pages) pages = page + 1;
    }
    struct snapshot *s = snapshot_make(m, base ? base->pages : NULL, from, pages);
    for (size_t i = 0; s && i < n; i++) {
        const struct news *e = &line->log[i];
        if (e->clock <= snapshot_get(s, e->slot) || snapshot_set(s, m, e->slot, e->clock)) continue;
        snapshot_put(s, m);
        return NULL;
    }
    return s;
}

/* Shortens the log: drops what is before the second mark, or makes the older half a mark.  Entries of one
 * clock stay together, as one release publishes them all; so those of the clock `now`, to which more may
 * come, are left alone.  Without memory the log stays long instead. */
static void timeline_fold(struct timeline *line, struct memory *m, uint32_t now) {
    if (line->mark_count > 1) {
        marks_drop(line, m, 1);
        return;
    }
    uint32_t at = line->log[(line->count - 1) / 2].at;
    if (at >= now) at = now - 1;
    size_t n = timeline_after(line, at);
    struct snapshot *base = n ? fold_base(line, m, n) : NULL;
    if (!base) return;
    timeline_mark(line, m, (struct mark){.at = at, .base = base});
    timeline_forget(line, m);
}

bool timeline_append(struct timeline *line, struct memory *m, uint32_t at, const struct news_list *news,
                     size_t cap) {
    if (!news->count) return true;
    if (!memory_grow(m, (void **)&line->log, &line->cap, line->count + news->count, sizeof *line->log))
        return false;
    for (size_t i = 0; i < news->count; i++) {
        line->log[line->count] = news->items[i];
        line->log[line->count++].at = at;
    }
    /* Short of memory, what only buys precision has to go. */
    if (memory_tight(m) && cap > LOG_CAP_TIGHT) cap = LOG_CAP_TIGHT;
    if (line->count > cap) timeline_fold(line, m, at);
    return true;
}

bool timeline_between(const struct timeline *line, struct memory *m, uint32_t from, uint32_t to,
                      struct news_list *out) {
    size_t first = timeline_after(line, from), end = timeline_after(line, to);
    if (first >= end) return true;
    if (!memory_grow(m, (void **)&out->items, &out->cap, out->count + (end - first), sizeof *out->items))
        return false;
    memcpy(out->items + out->count, line->log + first, (end - first) * sizeof *out->items);
    out->count += end - first;
    return true;
}

const struct news *timeline_first(const struct timeline *line, uint32_t slot, uint32_t clock) {
    /* A slot's entries grow, and who asks mostly means a recent one. */
    const struct news *found = NULL;
    for (size_t i = line->count; i-- > 0;) {
        if (line->log[i].slot != slot) continue;
        if (line->log[i].clock < clock) break;
        found = &line->log[i];
    }
    return found;
}

bool timeline_knew(const struct timeline *line, uint32_t at, uint32_t slot, uint32_t clock) {
    const struct mark *mark = timeline_mark_for(line, 0, at);
    if (mark && snapshot_get(mark->base, slot) >= clock) return true;
    for (size_t i = timeline_after(line, at); i-- > 0;)
        if (line->log[i].slot == slot) return line->log[i].clock >= clock;
    return false;
}
