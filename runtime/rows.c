#include "state.h"

#include <string.h> /* memcpy */

enum { GENERATION_MAX = (1 << (CK_CLOCK_BITS - ROWS_BITS)) - 1, LOOKED_AT = 32 };
_Static_assert(GENERATION_MAX < 1 << CK_SLOT_BITS, "a generation fits where a slot does");
_Static_assert(CK_ROWS == 1 << ROWS_BITS, "the caller's mask");
_Static_assert(sizeof(struct row) == 64, "a cache line");

void rows_init(struct rows *r, struct memory *m, uint32_t places) {
    *r = (struct rows){.memory = m, .places = 1};
    while (r->places < places && r->places < 1 << ROWS_BITS) r->places *= 2;
    brief_mutex_init(&r->lock);
}

void rows_release(struct rows *r) {
    memory_put(r->memory, r->table, r->places * sizeof *r->table);
    pthread_mutex_destroy(&r->lock);
}

static size_t column_size(const struct rows *r) {
    return r->places * sizeof(uint64_t);
}

void rows_free_column(struct rows *r, uint64_t *column) {
    memory_put(r->memory, column, column_size(r));
}

static uint64_t row_word(const struct rows *r, uint32_t row) {
    return ck_word_make(CK_SLOT_SET, (uint32_t)r->table[row].generation << ROWS_BITS | row, 1);
}

/* The open row of a word, or NULL.  Locked. */
static struct row *row_find(struct rows *r, uint64_t word) {
    uint32_t row = ck_word_clock(word) & ((1 << ROWS_BITS) - 1);
    if (!word_is_row(word) || !r->table || row >= r->places) return NULL;
    return r->table[row].open && row_word(r, row) == word ? &r->table[row] : NULL;
}

/* What the reader's column says, if that is of this generation of the row. */
static uint64_t row_latest(struct checker *ck, const struct row *row, uint64_t word) {
    struct slot *s = slot_find(ck, ck_word_slot(word));
    if (!s || !s->column) return word;
    uint64_t own = __atomic_load_n(&s->column[row - ck->rows.table], __ATOMIC_RELAXED);
    if (own >> CK_SLOT_SHIFT != row->generation) return word;
    return ck_word_make(ck_word_slot(word), ck_word_clock(own), ck_word_site(own));
}

static void row_close(struct rows *r, struct row *row) {
    row->open = false;
    if (row->generation == GENERATION_MAX) return; /* never again: an old number may still be somewhere */
    row->generation++;
    row->next = r->free;
    r->free = (uint32_t)(row - r->table) + 1;
}

static bool row_was_read(struct checker *ck, struct row *row) {
    uint32_t digest = 0;
    for (uint32_t i = 0; i < row->count; i++)
        digest = digest * 31 + (uint32_t)(row_latest(ck, row, row->words[i]) >> CK_SITE_BITS);
    bool changed = digest != row->digest;
    row->digest = digest;
    return changed;
}

/* Closes a row that nobody has read since the hand last came by, if one is found soon; else any. */
static void evict(struct checker *ck) {
    struct rows *r = &ck->rows;
    for (int i = 0; i < LOOKED_AT; i++) {
        struct row *row = &r->table[r->hand++ % r->places];
        if (!row->open || (row_was_read(ck, row) && i < LOOKED_AT - 1)) continue;
        row_close(r, row);
        count(&r->evicted);
        return;
    }
}

/* NULL: none left.  Locked. */
static struct row *row_take(struct checker *ck) {
    struct rows *r = &ck->rows;
    if (!r->table) r->table = memory_get(r->memory, r->places * sizeof *r->table);
    if (!r->table) return NULL;
    if (!r->free && r->fresh < r->places) {
        struct row *row = &r->table[r->fresh++];
        row->generation = 1;
        return row;
    }
    if (!r->free) evict(ck);
    if (!r->free) return NULL;
    struct row *row = &r->table[r->free - 1];
    r->free = row->next;
    return row;
}

/* The slot's column, made when it is first needed; NULL: none.  Locked. */
static uint64_t *column_of(struct thread *t) {
    struct rows *r = &t->ck->rows;
    struct slot *s = t->slot;
    if (!s->column && r->columns < ROWS_COLUMNS_MAX) {
        s->column = memory_get(r->memory, column_size(r));
        r->columns += s->column != NULL;
    }
    t->pub.column = s->column;
    return s->column;
}

static void column_put(uint64_t *column, const struct rows *r, const struct row *row, uint64_t mine) {
    uint64_t own = ck_word_make(row->generation, ck_word_clock(mine), ck_word_site(mine));
    __atomic_store_n(&column[row - r->table], own, __ATOMIC_SEQ_CST);
}

/* Whether all the readers have columns, or can get them.  Locked. */
static bool have_columns(struct checker *ck, const uint64_t *words, uint32_t n) {
    uint32_t more = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct slot *s = slot_find(ck, ck_word_slot(words[i]));
        if (!s || s->number == CK_SLOT_CROWD) return false;
        more += s->column == NULL;
    }
    return ck->rows.columns + more <= ROWS_COLUMNS_MAX;
}

uint64_t rows_open(struct ck_thread *pub, const uint64_t *words, uint32_t n, uint64_t mine) {
    struct thread *t = thread_of(pub);
    struct rows *r = &t->ck->rows;
    if (n > ROWS_READERS) return 0;
    pthread_mutex_lock(&r->lock);
    uint64_t *column = have_columns(t->ck, words, n) ? column_of(t) : NULL;
    struct row *row = column ? row_take(t->ck) : NULL;
    if (row) {
        for (uint32_t i = 0; i < n; i++) row->words[i] = words[i];
        row->count = (uint8_t)n;
        row->open = true;
        row->digest = 0;
        column_put(column, r, row, mine);
    }
    uint64_t word = row ? row_word(r, (uint32_t)(row - r->table)) : 0;
    pthread_mutex_unlock(&r->lock);
    return word;
}

uint32_t rows_copy(struct checker *ck, uint64_t word, uint64_t *out) {
    pthread_mutex_lock(&ck->rows.lock);
    const struct row *row = row_find(&ck->rows, word);
    uint32_t n = row ? row->count : 0;
    for (uint32_t i = 0; i < n; i++) out[i] = row_latest(ck, row, row->words[i]);
    pthread_mutex_unlock(&ck->rows.lock);
    return n;
}

void rows_close(struct rows *r, uint64_t word) {
    pthread_mutex_lock(&r->lock);
    struct row *row = row_find(r, word);
    if (row) row_close(r, row);
    pthread_mutex_unlock(&r->lock);
}

/* Puts the read among those of the row, in the place of the same reader's.  A reader never leaves: its column
 * would still say that it is in. */
static bool row_put(struct row *row, uint64_t mine) {
    uint64_t words[ROWS_READERS + 1];
    memcpy(words, row->words, row->count * sizeof *words);
    uint32_t n = words_insert(words, row->count, mine);
    if (n > ROWS_READERS) return false;
    memcpy(row->words, words, n * sizeof *words);
    row->count = (uint8_t)n;
    return true;
}

bool rows_have(struct ck_thread *pub, uint64_t word) {
    struct checker *ck = thread_of(pub)->ck;
    bool have = false;
    if (!word_is_row(word)) return false;
    pthread_mutex_lock(&ck->rows.lock);
    const struct row *row = row_find(&ck->rows, word);
    for (uint32_t i = 0; row && i < row->count; i++)
        have |= ck_word_same_epoch(row_latest(ck, row, row->words[i]), pub->epoch);
    pthread_mutex_unlock(&ck->rows.lock);
    return have;
}

bool rows_read(struct ck_thread *pub, uint64_t word, uint64_t mine) {
    struct thread *t = thread_of(pub);
    struct rows *r = &t->ck->rows;
    if (thread_is_crowded(t)) return false;
    pthread_mutex_lock(&r->lock);
    struct row *row = row_find(r, word);
    uint64_t *column = row ? column_of(t) : NULL;
    bool ok = column && row_put(row, mine);
    if (ok) column_put(column, r, row, mine);
    pthread_mutex_unlock(&r->lock);
    return ok;
}
