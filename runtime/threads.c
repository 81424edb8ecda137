/*
 * Slots and threads.
 *
 * Simple model.  Every thread has a number of its own for ever, and vector clocks grow by one for each
 * thread.
 *
 * Here.  A thread holds a slot while it lives.  The slot of an ended thread goes on with the next holder as
 * if both were one thread: its clock and its timeline continue.  That is exact when the starter of the new
 * thread knows all that the old one did (it joined it, directly or not), so that nothing of the two can be
 * concurrent. When too many ended threads wait for that, the oldest slot is taken anyway, and the new thread
 * is simply ordered after the old one: order that was not there, so a race may be missed, never invented.
 *
 * A thread whose clock runs out moves to another slot the same way.  When there is no slot at all, threads
 * share CK_SLOT_CROWD: there a thread's accesses carry a clock that it knew when it last learnt something,
 * every release publishes what all of them know, and each of them learns of the others like of any other
 * slot.
 */
#include "state.h"

#include <string.h> /* strncpy */

enum {
    SCAN_MAX = 64,      /* dead slots looked at for one that the starter covers */
    OCCUPANTS_MAX = 16, /* remembered per slot */
    START_CLOCK = 1,    /* what a thread knows when it starts is logged one clock before its first epoch */
    CLOCK_SPARE = 4     /* a slot closer than this to the limit is not reused */
};

/* What members and steps point to until the thread reads shared data; never written, matches nothing. */
static uint64_t empty_tables[CK_MEMBERS];

enum { MEMBERS_SIZE = CK_MEMBERS * sizeof(uint64_t), STEPS_SIZE = CK_STEPS * 4 * sizeof(uint64_t) };
_Static_assert(STEPS_SIZE <= sizeof empty_tables, "both tables must fit");

struct slot *slot_find(struct checker *ck, uint32_t number) {
    return number < CK_SLOT_SET ? atomic_load_explicit(&ck->slots[number], memory_order_acquire) : NULL;
}

static struct slot *slot_new(struct checker *ck, uint32_t number) {
    struct slot *s = memory_must(&ck->memory, sizeof *s);
    if (!s) return NULL;
    pthread_mutex_init(&s->lock, NULL);
    s->ck = ck;
    s->number = number;
    s->crowd_clock = START_CLOCK;
    if (number != CK_SLOT_CROWD) {
        s->locks = locks_new(ck);
        if (ck->config.history)
            s->history = memory_get(&ck->memory, ck->config.history_len * sizeof *s->history);
    }
    atomic_store_explicit(&ck->slots[number], s, memory_order_release);
    return s;
}

static void slot_free(struct checker *ck, struct slot *s) {
    for (int i = 0; i < VIEWS; i++) {
        timeline_release(&s->line[i], &ck->memory);
        snapshot_put(s->final[i], &ck->memory);
    }
    memory_put(&ck->memory, s->occupants, s->occupant_cap * sizeof *s->occupants);
    locks_free(ck, s->locks);
    memory_put(&ck->memory, s->history, ck->config.history_len * sizeof *s->history);
    rows_free_column(&ck->rows, s->column);
    pthread_mutex_destroy(&s->lock);
    memory_put(&ck->memory, s, sizeof *s);
}

void threads_release(struct checker *ck) {
    for (uint32_t i = 0; i < CK_SLOT_SET; i++) {
        struct slot *s = slot_find(ck, i);
        if (s) slot_free(ck, s);
    }
}

/* Takes the slot that *link points to out of the dead list.  Under slots_lock. */
static struct slot *dead_unlink(struct checker *ck, struct slot **link) {
    struct slot *s = *link;
    *link = s->next_dead;
    if (ck->dead_end == &s->next_dead) ck->dead_end = link;
    ck->dead_count--;
    return s;
}

/* A slot for a thread that knows what `knower` does (NULL: nothing).  NULL: out of memory. */
static struct slot *slot_take(struct checker *ck, const struct view *knower) {
    pthread_mutex_lock(&ck->slots_lock);
    struct slot *s = NULL;
    struct slot **link = &ck->dead;
    for (int i = 0; knower && *link && i < SCAN_MAX && !s; i++) {
        if ((*link)->last <= view_get(knower, (*link)->number))
            s = dead_unlink(ck, link);
        else
            link = &(*link)->next_dead;
    }
    bool fresh = ck->fresh <= ck->config.max_slots && !memory_tight(&ck->memory);
    if (!s && ck->dead && (ck->dead_count > ck->config.dead_slots || !fresh)) {
        s = dead_unlink(ck, &ck->dead);
        count(&ck->slots_forced);
    }
    if (!s && fresh) {
        s = slot_new(ck, ck->fresh);
        if (s) ck->fresh++;
    }
    if (!s) {
        s = slot_find(ck, CK_SLOT_CROWD);
        if (!s) s = slot_new(ck, CK_SLOT_CROWD);
        count(&ck->threads_crowded);
    }
    pthread_mutex_unlock(&ck->slots_lock);
    return s;
}

static void slot_give(struct checker *ck, struct slot *s) {
    pthread_mutex_lock(&ck->slots_lock);
    s->next_dead = NULL;
    *ck->dead_end = s;
    ck->dead_end = &s->next_dead;
    ck->dead_count++;
    pthread_mutex_unlock(&ck->slots_lock);
}

static int views(const struct checker *ck) {
    return ck->config.evidence ? VIEWS : 1;
}

/* What t knows now goes to the timeline as a mark. */
static bool slot_mark(struct slot *s, struct thread *t, int which, uint32_t clock, uint64_t origin) {
    struct snapshot *base = snapshot_take(&t->view[which], &t->ck->memory, 0, 0);
    if (!base) return false;
    pthread_mutex_lock(&s->lock);
    timeline_mark(&s->line[which], &t->ck->memory, (struct mark){clock, origin, base});
    pthread_mutex_unlock(&s->lock);
    return true;
}

/* The slot was used before: all its last holder knew is known to t, and t's news go to the timeline. */
static bool slot_continue(struct slot *s, struct thread *t, int which, uint32_t clock, uint64_t origin) {
    struct memory *m = &t->ck->memory;
    struct view *v = &t->view[which];
    struct snapshot *final = s->final[which];
    s->final[which] = NULL;
    t->news.count = 0;
    /* Who knows the last clock has it all already (the invariant in clock.h).  If not, t now knows more than
     * the start that the origin stands for. */
    bool ok = true;
    if (s->last > view_get(v, s->number)) {
        ok = view_join(v, m, final, (struct hops){0}, NULL);
        origin = 0;
    }
    ok = ok && view_diff(v, m, final, s->number, t->ck->config.start_log, &t->news);
    snapshot_put(final, m);
    if (!ok) return false;
    if (t->news.count > t->ck->config.start_log) return slot_mark(s, t, which, clock, origin);
    pthread_mutex_lock(&s->lock);
    ok = timeline_append(&s->line[which], m, clock, &t->news, t->ck->config.log_cap);
    pthread_mutex_unlock(&s->lock);
    return ok;
}

/* Joins the crowd: t learns all that it knows, and it learns all that t knows.  Slot locked. */
static bool crowd_join(struct slot *s, struct thread *t, int which, uint32_t clock) {
    struct memory *m = &t->ck->memory;
    struct timeline *line = &s->line[which];
    for (size_t i = 0; i < line->mark_count; i++)
        if (!view_join(&t->view[which], m, line->marks[i].base, (struct hops){0}, NULL)) return false;
    for (size_t i = 0; i < line->count; i++) {
        const struct news *e = &line->log[i];
        if (e->clock <= view_get(&t->view[which], e->slot)) continue;
        if (!view_set(&t->view[which], m, e->slot, e->clock)) return false;
    }
    if (!view_set(&t->view[which], m, s->number, clock)) return false;
    struct snapshot *base = snapshot_take(&t->view[which], m, 0, 0);
    if (!base) return false;
    timeline_mark(line, m, (struct mark){.at = clock, .base = base});
    timeline_forget(line, m);
    return true;
}

static bool crowd_enter(struct slot *s, struct thread *t) {
    pthread_mutex_lock(&s->lock);
    uint32_t clock = ++s->crowd_clock;
    bool ok = true;
    for (int i = 0; i < views(t->ck); i++) ok &= crowd_join(s, t, i, clock);
    pthread_mutex_unlock(&s->lock);
    thread_set_epoch(t, ck_word_make(s->number, clock, 0));
    t->pub.epoch_limit = 0;
    if (!t->own_locks) t->own_locks = locks_new(t->ck);
    t->pub.locks = t->own_locks;
    return ok;
}

static void slot_set_holder(struct slot *s, const struct thread *t) {
    pthread_mutex_lock(&s->ck->slots_lock);
    s->holder = t;
    pthread_mutex_unlock(&s->ck->slots_lock);
}

static void slot_vacate(struct slot *s, uint32_t last) {
    pthread_mutex_lock(&s->ck->slots_lock);
    s->last = last;
    s->holder = NULL;
    pthread_mutex_unlock(&s->ck->slots_lock);
}

uint32_t slot_present(struct checker *ck, uint32_t number) {
    struct slot *s = slot_find(ck, number);
    if (!s) return 0;
    if (number == CK_SLOT_CROWD) {
        pthread_mutex_lock(&s->lock);
        uint32_t crowd = ++s->crowd_clock; /* a release for all of them: it publishes what they know now */
        pthread_mutex_unlock(&s->lock);
        return crowd;
    }
    pthread_mutex_lock(&ck->slots_lock);
    uint32_t clock = s->last;
    /* The holder moves its epoch on without a lock; an old value is as good as a slightly earlier call. */
    if (s->holder) {
        clock = ck_word_clock(__atomic_load_n(&s->holder->pub.epoch, __ATOMIC_RELAXED));
        pthread_mutex_lock(&s->lock);
        if (s->peeked < clock) s->peeked = clock;
        pthread_mutex_unlock(&s->lock);
    }
    pthread_mutex_unlock(&ck->slots_lock);
    return clock;
}

void ck_thread_awaited(struct checker *ck, uint64_t final) {
    struct slot *s = slot_find(ck, ck_word_slot(final));
    if (!s) return;
    uint32_t clock = ck_word_clock(final);
    pthread_mutex_lock(&ck->slots_lock);
    if (s->awaited < clock) s->awaited = clock;
    pthread_mutex_unlock(&ck->slots_lock);
}

uint32_t slot_awaited(struct checker *ck, uint32_t number) {
    struct slot *s = slot_find(ck, number);
    if (!s) return 0;
    pthread_mutex_lock(&ck->slots_lock);
    uint32_t clock = s->awaited;
    pthread_mutex_unlock(&ck->slots_lock);
    return clock;
}

/* Makes t, whose views are set, the holder of slot s. */
static bool slot_enter(struct slot *s, struct thread *t, uint64_t origin) {
    t->slot = s;
    t->pub.column = s->column;
    if (s->number == CK_SLOT_CROWD) return crowd_enter(s, t);
    uint32_t start = s->last + 1;
    bool ok = true;
    for (int i = 0; i < views(t->ck); i++) {
        ok &=
            start == START_CLOCK ? slot_mark(s, t, i, start, origin) : slot_continue(s, t, i, start, origin);
        ok &= view_set(&t->view[i], &t->ck->memory, s->number, CLOCK_OWN);
    }
    thread_set_epoch(t, ck_word_make(s->number, start + 1, 0));
    t->pub.epoch_limit = ck_word_make(s->number, t->ck->config.clock_limit, 0);
    t->pub.locks = s->locks;
    slot_set_holder(s, t);
    return ok;
}

static void occupant_add(struct slot *s, const struct thread *t, const struct occupant *who) {
    if (s->number == CK_SLOT_CROWD) return; /* many at a time: the clock does not tell which */
    struct memory *m = &t->ck->memory;
    pthread_mutex_lock(&s->lock);
    if (s->occupant_count == OCCUPANTS_MAX) {
        s->occupant_count--;
        memmove(s->occupants, s->occupants + 1, s->occupant_count * sizeof *s->occupants);
    }
    /* Two to begin with: most slots see few threads, and there may be many slots. */
    size_t want = s->occupant_count + 1;
    if (memory_grow(m, (void **)&s->occupants, &s->occupant_cap, want < 2 ? 2 : want, sizeof *who)) {
        s->occupants[s->occupant_count] = *who;
        s->occupants[s->occupant_count++].first = ck_word_clock(t->pub.epoch);
    }
    pthread_mutex_unlock(&s->lock);
}

bool slot_occupant(struct checker *ck, uint64_t word, struct occupant *out) {
    struct slot *s = slot_find(ck, ck_word_slot(word));
    if (!s) return false;
    bool found = false;
    pthread_mutex_lock(&s->lock);
    for (size_t i = s->occupant_count; i-- > 0 && !found;) {
        found = s->occupants[i].first <= ck_word_clock(word);
        if (found) *out = s->occupants[i];
    }
    pthread_mutex_unlock(&s->lock);
    return found;
}

/* What the child knows at the start: the parent's views, with the parent's own clock.  Returns the word of
 * the start, 0 if the child's knowledge cannot be named by one word. */
static uint64_t views_inherit(struct thread *child, struct thread *parent, bool *ok) {
    struct memory *m = &child->ck->memory;
    bool crowded = thread_is_crowded(parent);
    uint32_t slot = crowded ? 0 : parent->slot->number;
    for (int i = 0; i < views(child->ck); i++) {
        struct snapshot *s = snapshot_take(&parent->view[i], m, slot, ck_word_clock(parent->pub.epoch));
        if (!s) {
            *ok = false;
            continue;
        }
        view_adopt(&child->view[i], s);
        snapshot_put(s, m);
    }
    return crowded ? 0 : parent->pub.epoch;
}

/* Of the scratch space for the words of a set or of a row, and two more. */
static size_t words_size(const struct thread *t) {
    uint32_t cap = t->ck->config.set_cap;
    return ((cap < ROWS_READERS ? ROWS_READERS : cap) + 2) * sizeof *t->words;
}

static void thread_free(struct thread *t) {
    struct memory *m = &t->ck->memory;
    for (int i = 0; i < VIEWS; i++) view_release(&t->view[i], m);
    news_release(&t->taken, m);
    news_release(&t->news, m);
    memory_put(m, t->words, words_size(t));
    memory_put(m, t->memo, STEPS_SIZE);
    locks_free(t->ck, t->own_locks);
    if (t->tables_owned) {
        memory_put(m, t->pub.members, MEMBERS_SIZE);
        memory_put(m, t->pub.steps, STEPS_SIZE);
    }
    memory_put(m, t, sizeof *t);
}

static struct thread *thread_new(struct checker *ck) {
    struct thread *t = memory_must(&ck->memory, sizeof *t);
    if (!t) return NULL;
    t->ck = ck;
    t->pub.members = t->pub.steps = empty_tables;
    bool ok = true;
    for (int i = 0; i < views(ck); i++) ok &= view_init(&t->view[i], &ck->memory);
    if (!ok) {
        thread_free(t);
        return NULL;
    }
    t->pub.table = t->view[VIEW_FULL].table;
    t->pub.hard_table = t->view[views(ck) - 1].table;
    return t;
}

static void thread_register(struct thread *t, const struct ck_thread_info *info) {
    struct checker *ck = t->ck;
    pthread_mutex_lock(&ck->slots_lock);
    t->pub.id = ++ck->next_thread;
    ck->threads_live++;
    pthread_mutex_unlock(&ck->slots_lock);
    struct occupant who = {.thread = {(uint32_t)t->pub.id}};
    if (info) who.created_at = info->created_at;
    if (info && info->name) strncpy(who.name, info->name, sizeof who.name - 1);
    occupant_add(t->slot, t, &who);
}

struct ck_thread *ck_thread_start(struct checker *ck, struct ck_thread *parent,
                                  const struct ck_thread_info *info) {
    struct thread *t = thread_new(ck);
    if (!t) return NULL;
    bool ok = true;
    uint64_t origin = parent ? views_inherit(t, thread_of(parent), &ok) : 0;
    struct slot *s = slot_take(ck, parent ? &t->view[VIEW_FULL] : NULL);
    if (!s) {
        thread_free(t);
        return NULL;
    }
    if (!slot_enter(s, t, origin) || !ok) atomic_store(&ck->off, true);
    thread_register(t, info);
    if (parent) sync_tick(thread_of(parent));
    return &t->pub;
}

/* Makes the end of the last holder the only thing that its timeline tells. */
static void slot_shorten(struct checker *ck, struct slot *s, uint32_t last) {
    pthread_mutex_lock(&s->lock);
    for (int i = 0; i < views(ck); i++) {
        timeline_mark(&s->line[i], &ck->memory,
                      (struct mark){.at = last, .base = snapshot_retain(s->final[i])});
        timeline_forget(&s->line[i], &ck->memory);
    }
    pthread_mutex_unlock(&s->lock);
}

/* Leaves the slot with `last` as its final clock, and keeps what a next holder must know. */
static void slot_leave(struct thread *t, uint32_t last) {
    struct checker *ck = t->ck;
    struct slot *s = t->slot;
    slot_vacate(s, last);
    bool worn = last + CLOCK_SPARE >= ck->config.clock_limit;
    for (int i = 0; i < views(ck) && !worn; i++) {
        s->final[i] = snapshot_take(&t->view[i], &ck->memory, s->number, last);
        if (!s->final[i]) worn = true; /* not reusable without: the next holder would know too little */
    }
    locks_reset(s->locks);
    if (!worn && memory_tight(&ck->memory)) slot_shorten(ck, s, last);
    if (!worn) slot_give(ck, s);
}

uint64_t ck_thread_end(struct ck_thread *pub) {
    struct thread *t = thread_of(pub);
    struct checker *ck = t->ck;
    uint64_t word = t->pub.epoch;
    sync_settle(t);
    if (thread_is_crowded(t))
        word = ck_release(pub, 0, CK_RELEASE_OVER, 0);
    else
        slot_leave(t, ck_word_clock(word));
    pthread_mutex_lock(&ck->slots_lock);
    ck->threads_live--;
    pthread_mutex_unlock(&ck->slots_lock);
    thread_free(t);
    return word;
}

void thread_move(struct thread *t) {
    struct checker *ck = t->ck;
    struct slot *old = t->slot;
    uint32_t last = ck_word_clock(t->pub.epoch);
    uint64_t origin = t->pub.epoch;
    uint64_t *locks = t->pub.locks;
    struct occupant who = {0};
    slot_occupant(ck, t->pub.epoch, &who);
    bool ok = true;
    for (int i = 0; i < views(ck); i++) ok &= view_set(&t->view[i], &ck->memory, old->number, last);
    slot_vacate(old, last);
    struct slot *s = slot_take(ck, &t->view[VIEW_FULL]);
    if (!s || !slot_enter(s, t, origin) || !ok) atomic_store(&ck->off, true);
    if (!s) return; /* stays where it is; with the checker off the clock no longer matters */
    count(&ck->clock_overflows);
    occupant_add(s, t, &who);
    locks_move(t->pub.locks, locks);
}

ck_thread_id ck_thread_number(const struct ck_thread *t) {
    return (ck_thread_id){(uint32_t)t->id};
}

void ck_thread_rename(struct ck_thread *pub, const char *name) {
    struct slot *s = thread_of(pub)->slot;
    pthread_mutex_lock(&s->lock);
    if (s->occupant_count && s->occupants[s->occupant_count - 1].thread.v == pub->id) {
        struct occupant *o = &s->occupants[s->occupant_count - 1];
        memset(o->name, 0, sizeof o->name);
        strncpy(o->name, name, sizeof o->name - 1);
    }
    pthread_mutex_unlock(&s->lock);
}

bool thread_tables(struct thread *t) {
    if (t->tables_owned) return true;
    struct memory *m = &t->ck->memory;
    if (!t->words) t->words = memory_must(m, words_size(t));
    if (!t->memo) t->memo = memory_must(m, STEPS_SIZE);
    if (!t->words || !t->memo) return false;
    uint64_t *members = memory_must(m, MEMBERS_SIZE);
    uint64_t *steps = memory_must(m, STEPS_SIZE);
    t->tables_owned = members && steps;
    if (t->tables_owned) {
        t->pub.members = members;
        t->pub.steps = steps;
    } else {
        memory_put(m, members, MEMBERS_SIZE);
        memory_put(m, steps, STEPS_SIZE);
    }
    return t->tables_owned;
}
