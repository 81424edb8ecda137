#include "set.h"

#include "race/vec.h" /* vec_grow_: ends the process when memory runs out */

#include <stdlib.h>
#include <string.h>

static void reserve_small(struct pts_set *s, uint32_t want) {
    if (want <= s->cap) return;
    uint32_t cap = s->cap ? s->cap * 2 : 2;
    while (cap < want) cap *= 2;
    size_t had = s->cap;
    void *v = s->u.small;
    vec_grow_(&v, &had, cap, sizeof(uint32_t));
    s->u.small = v;
    s->cap = (uint32_t)had;
}

static void reserve_big(struct pts_set *s, uint32_t want) {
    if (want <= s->cap) return;
    size_t had = s->cap;
    void *v = s->u.big;
    vec_grow_(&v, &had, want + want / 2, sizeof(struct pts_chunk));
    s->u.big = v;
    s->cap = (uint32_t)had;
}

void pts_set_release(struct pts_set *s) {
    free(s->is_big ? (void *)s->u.big : (void *)s->u.small);
    memset(s, 0, sizeof *s);
}

bool pts_set_is_empty(const struct pts_set *s) {
    return s->n == 0;
}

/* First position whose element (chunk index) is >= x. */
static uint32_t lower_small(const struct pts_set *s, uint32_t x) {
    uint32_t lo = 0, hi = s->n;
    if (hi && s->u.small[hi - 1] < x) return hi; /* appending is the common case */
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        if (s->u.small[mid] < x)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static uint32_t lower_big(const struct pts_set *s, uint32_t index) {
    uint32_t lo = 0, hi = s->n;
    if (hi && s->u.big[hi - 1].index < index) return hi;
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        if (s->u.big[mid].index < index)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

bool pts_set_has(const struct pts_set *s, uint32_t x) {
    if (!s->is_big) {
        uint32_t at = lower_small(s, x);
        return at < s->n && s->u.small[at] == x;
    }
    uint32_t at = lower_big(s, x / 64);
    return at < s->n && s->u.big[at].index == x / 64 && (s->u.big[at].bits >> (x % 64) & 1);
}

uint32_t pts_set_count(const struct pts_set *s) {
    if (!s->is_big) return s->n;
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->n; i++) count += (uint32_t)__builtin_popcountll(s->u.big[i].bits);
    return count;
}

static void make_big(struct pts_set *s) {
    struct pts_set big = {.is_big = 1};
    reserve_big(&big, s->n ? s->n : 1);
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t x = s->u.small[i];
        if (big.n == 0 || big.u.big[big.n - 1].index != x / 64)
            big.u.big[big.n++] = (struct pts_chunk){.index = x / 64};
        big.u.big[big.n - 1].bits |= UINT64_C(1) << (x % 64);
    }
    free(s->u.small);
    *s = big;
}

/* ORs bits into chunk `index`; returns the bits that were new. */
static uint64_t add_chunk(struct pts_set *s, uint32_t index, uint64_t bits) {
    uint32_t at = lower_big(s, index);
    if (at < s->n && s->u.big[at].index == index) {
        uint64_t fresh = bits & ~s->u.big[at].bits;
        s->u.big[at].bits |= bits;
        return fresh;
    }
    reserve_big(s, s->n + 1);
    memmove(s->u.big + at + 1, s->u.big + at, (s->n - at) * sizeof *s->u.big);
    s->u.big[at] = (struct pts_chunk){.index = index, .bits = bits};
    s->n++;
    return bits;
}

bool pts_set_add(struct pts_set *s, uint32_t x) {
    if (s->is_big) return add_chunk(s, x / 64, UINT64_C(1) << (x % 64)) != 0;
    uint32_t at = lower_small(s, x);
    if (at < s->n && s->u.small[at] == x) return false;
    if (s->n == PTS_SET_SMALL) {
        make_big(s);
        return pts_set_add(s, x);
    }
    reserve_small(s, s->n + 1);
    memmove(s->u.small + at + 1, s->u.small + at, (s->n - at) * sizeof *s->u.small);
    s->u.small[at] = x;
    s->n++;
    return true;
}

/* Adds src element by element: right when src is small and dst big, or src tiny. */
static bool union_each(struct pts_set *dst, const struct pts_set *src, struct pts_set *fresh) {
    bool any = false;
    for (uint32_t i = 0; i < src->n; i++) {
        uint32_t x = src->u.small[i];
        if (!pts_set_add(dst, x)) continue;
        any = true;
        if (fresh) pts_set_add(fresh, x);
    }
    return any;
}

/* Both small: one merge.  What is new goes to `fresh` afterwards, as that may be large. */
static bool union_small(struct pts_set *dst, const struct pts_set *src, struct pts_set *fresh) {
    uint32_t merged[2 * PTS_SET_SMALL], added[PTS_SET_SMALL];
    uint32_t n = 0, n_added = 0, d = 0;
    for (uint32_t i = 0; i < src->n; i++) {
        uint32_t x = src->u.small[i];
        while (d < dst->n && dst->u.small[d] < x) merged[n++] = dst->u.small[d++];
        if (d < dst->n && dst->u.small[d] == x) continue; /* copied by the next round */
        merged[n++] = added[n_added++] = x;
    }
    if (n_added == 0) return false;
    while (d < dst->n) merged[n++] = dst->u.small[d++];
    if (n > PTS_SET_SMALL) return union_each(dst, src, fresh);
    reserve_small(dst, n);
    memcpy(dst->u.small, merged, n * sizeof *merged);
    dst->n = n;
    struct pts_set add = {.n = n_added, .u.small = added};
    if (fresh) pts_set_union(fresh, &add, NULL);
    return true;
}

/* First position at or after `from` whose chunk index is >= index: near ones are found in few steps, since
   what travels is mostly much smaller than what it is added to. */
static uint32_t seek(const struct pts_set *s, uint32_t from, uint32_t index) {
    uint32_t hi = from;
    for (uint32_t step = 1; hi < s->n && s->u.big[hi].index < index; step *= 2) {
        from = hi + 1;
        hi += step;
    }
    if (hi > s->n) hi = s->n;
    while (from < hi) {
        uint32_t mid = (from + hi) / 2;
        if (s->u.big[mid].index < index)
            from = mid + 1;
        else
            hi = mid;
    }
    return from;
}

/* Whether src has anything that dst has not, and how many chunks dst lacks. */
static bool has_more(const struct pts_set *dst, const struct pts_set *src, uint32_t *missing) {
    uint64_t more = 0;
    *missing = 0;
    for (uint32_t i = 0, d = 0; i < src->n; i++) {
        const struct pts_chunk *c = &src->u.big[i];
        d = seek(dst, d, c->index);
        if (d == dst->n || dst->u.big[d].index != c->index)
            ++*missing;
        else
            more |= c->bits & ~dst->u.big[d].bits;
    }
    return more != 0 || *missing != 0;
}

/* Both big, no chunk missing: nothing has to move. */
static void add_bits(struct pts_set *dst, const struct pts_set *src, struct pts_set *delta) {
    reserve_big(delta, src->n);
    for (uint32_t i = 0, d = 0; i < src->n; i++) {
        const struct pts_chunk *c = &src->u.big[i];
        d = seek(dst, d, c->index);
        uint64_t fresh = c->bits & ~dst->u.big[d].bits;
        if (fresh == 0) continue;
        dst->u.big[d].bits |= fresh;
        delta->u.big[delta->n++] = (struct pts_chunk){.index = c->index, .bits = fresh};
    }
}

/* Both big: merge from the back so that it works in place; new bits go to `delta` (same number of chunks). */
static void merge_big(struct pts_set *dst, const struct pts_set *src, uint32_t missing,
                      struct pts_set *delta) {
    uint32_t total = dst->n + missing;
    reserve_big(dst, total);
    reserve_big(delta, src->n);
    uint32_t d = dst->n, s = src->n, out = total;
    struct pts_chunk *v = dst->u.big;
    while (s > 0) {
        const struct pts_chunk *c = &src->u.big[s - 1];
        if (d > 0 && v[d - 1].index > c->index) {
            v[--out] = v[--d];
            continue;
        }
        uint64_t old = 0;
        if (d > 0 && v[d - 1].index == c->index) old = v[--d].bits;
        v[--out] = (struct pts_chunk){.index = c->index, .bits = old | c->bits};
        if (c->bits & ~old)
            delta->u.big[delta->n++] = (struct pts_chunk){.index = c->index, .bits = c->bits & ~old};
        s--;
    }
    dst->n = total;
    /* Collected back to front. */
    for (uint32_t i = 0, j = delta->n; i + 1 < j; i++) {
        struct pts_chunk t = delta->u.big[i];
        delta->u.big[i] = delta->u.big[--j];
        delta->u.big[j] = t;
    }
}

bool pts_set_union(struct pts_set *dst, const struct pts_set *src, struct pts_set *fresh) {
    if (!src->is_big)
        return dst->is_big || src->n < 4 ? union_each(dst, src, fresh) : union_small(dst, src, fresh);
    if (!dst->is_big) make_big(dst);
    uint32_t missing;
    if (!has_more(dst, src, &missing)) return false;
    struct pts_set delta = {.is_big = 1};
    if (missing == 0)
        add_bits(dst, src, &delta);
    else
        merge_big(dst, src, missing, &delta);
    if (!fresh) {
        pts_set_release(&delta);
    } else if (pts_set_is_empty(fresh)) {
        pts_set_release(fresh);
        *fresh = delta;
    } else {
        pts_set_union(fresh, &delta, NULL);
        pts_set_release(&delta);
    }
    return true;
}

void pts_set_masked(struct pts_set *dst, const struct pts_set *src, const uint64_t *mask) {
    if (!src->is_big) {
        if (src->n) reserve_small(dst, src->n);
        for (uint32_t i = 0; i < src->n; i++) {
            uint32_t x = src->u.small[i];
            if (mask[x / 64] >> (x % 64) & 1) dst->u.small[dst->n++] = x;
        }
        return;
    }
    dst->is_big = 1;
    reserve_big(dst, src->n);
    for (uint32_t i = 0; i < src->n; i++) {
        uint64_t bits = src->u.big[i].bits & mask[src->u.big[i].index];
        if (bits) dst->u.big[dst->n++] = (struct pts_chunk){.index = src->u.big[i].index, .bits = bits};
    }
}

void pts_set_copy(struct pts_set *dst, const struct pts_set *src) {
    if (src->n == 0) return;
    if (src->is_big) {
        dst->is_big = 1;
        reserve_big(dst, src->n);
        memcpy(dst->u.big, src->u.big, src->n * sizeof *src->u.big);
    } else {
        reserve_small(dst, src->n);
        memcpy(dst->u.small, src->u.small, src->n * sizeof *src->u.small);
    }
    dst->n = src->n;
}

/* Of the elements as they are kept: a set has another hash in the other form. */
uint32_t pts_set_hash(const struct pts_set *s) {
    uint64_t h = s->n;
    for (uint32_t i = 0; i < s->n; i++) {
        uint64_t x = s->is_big ? s->u.big[i].bits ^ (uint64_t)s->u.big[i].index << 32 : s->u.small[i];
        h = (h ^ x) * UINT64_C(0x9E3779B97F4A7C15);
        h ^= h >> 32;
    }
    return (uint32_t)h;
}

bool pts_set_equal(const struct pts_set *a, const struct pts_set *b) {
    if (a->is_big == b->is_big) {
        if (a->n != b->n) return false;
        for (uint32_t i = 0; i < a->n; i++) {
            if (a->is_big ? a->u.big[i].index != b->u.big[i].index || a->u.big[i].bits != b->u.big[i].bits
                          : a->u.small[i] != b->u.small[i])
                return false;
        }
        return true;
    }
    if (pts_set_count(a) != pts_set_count(b)) return false;
    const struct pts_set *few = a->is_big ? b : a, *many = a->is_big ? a : b;
    for (uint32_t i = 0; i < few->n; i++)
        if (!pts_set_has(many, few->u.small[i])) return false;
    return true;
}

bool pts_set_next(const struct pts_set *s, struct pts_set_iter *it, uint32_t *x) {
    if (!s->is_big) {
        if (it->pos >= s->n) return false;
        *x = s->u.small[it->pos++];
        return true;
    }
    if (!it->started) {
        it->started = true;
        it->rest = s->n ? s->u.big[0].bits : 0;
    }
    while (it->rest == 0) {
        if (it->pos + 1 >= s->n) return false;
        it->rest = s->u.big[++it->pos].bits;
    }
    *x = s->u.big[it->pos].index * 64 + (uint32_t)__builtin_ctzll(it->rest);
    it->rest &= it->rest - 1;
    return true;
}
