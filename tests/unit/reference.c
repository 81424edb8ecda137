#include "reference.h"

#include <stdlib.h>
#include <string.h>

static void join(struct ref_clock *a, const struct ref_clock *b) {
    for (int i = 0; i < REF_THREADS; i++)
        if (a->at[i] < b->at[i]) a->at[i] = b->at[i];
}

struct ref *ref_new(bool shb) {
    struct ref *ref = calloc(1, sizeof *ref);
    if (!ref) abort();
    ref->shb = shb;
    return ref;
}

void ref_free(struct ref *ref) {
    for (int i = 0; i < REF_THREADS; i++) free(ref->threads[i].ends);
    free(ref);
}

static void remember_end(struct ref_thread *t) {
    if (t->end_count == t->end_cap) {
        t->end_cap = t->end_cap ? t->end_cap * 2 : 4;
        t->ends = realloc(t->ends, t->end_cap * sizeof *t->ends);
        if (!t->ends) abort();
    }
    t->ends[t->end_count++] = t->now;
}

void ref_tick(struct ref *ref, int t) {
    struct ref_thread *it = &ref->threads[t];
    remember_end(it);
    it->now.at[t]++;
    it->pure.at[t]++;
    it->hard.at[t]++;
}

void ref_start(struct ref *ref, int parent, int child) {
    struct ref_thread *it = &ref->threads[child];
    if (parent >= 0) {
        it->now = ref->threads[parent].now;
        it->pure = ref->threads[parent].pure;
        it->hard = ref->threads[parent].hard;
    }
    ref_tick(ref, child);
    if (parent >= 0) ref_tick(ref, parent);
}

void ref_join(struct ref *ref, int t, int ended) {
    join(&ref->threads[t].now, &ref->threads[ended].now);
    join(&ref->threads[t].pure, &ref->threads[ended].pure);
    join(&ref->threads[t].hard, &ref->threads[ended].hard);
}

void ref_acquire(struct ref *ref, int t, int sync, bool by_lock) {
    if (!by_lock) join(&ref->threads[t].hard, &ref->sync_hard[sync]);
    join(&ref->threads[t].now, &ref->sync_now[sync]);
    join(&ref->threads[t].pure, &ref->sync_pure[sync]);
}

void ref_release(struct ref *ref, int t, int sync, bool blind) {
    if (!blind) {
        memset(&ref->sync_now[sync], 0, sizeof ref->sync_now[sync]);
        memset(&ref->sync_pure[sync], 0, sizeof ref->sync_pure[sync]);
        memset(&ref->sync_hard[sync], 0, sizeof ref->sync_hard[sync]);
    }
    join(&ref->sync_now[sync], &ref->threads[t].now);
    join(&ref->sync_pure[sync], &ref->threads[t].pure);
    join(&ref->sync_hard[sync], &ref->threads[t].hard);
    ref_tick(ref, t);
}

void ref_acquire_all(struct ref *ref, int t) {
    for (int i = 0; i < REF_THREADS; i++) {
        if (i == t || !ref->threads[i].now.at[i]) continue;
        ref_join(ref, t, i);
        ref_tick(ref, i); /* what it does from now on comes later */
    }
}

static bool any_open(const struct ref_clock *accesses, const struct ref_clock *known) {
    for (int i = 0; i < REF_THREADS; i++)
        if (accesses->at[i] > known->at[i]) return true;
    return false;
}

struct ref_answer ref_read(struct ref *ref, int t, int var) {
    struct ref_thread *it = &ref->threads[t];
    struct ref_var *v = &ref->vars[var];
    struct ref_answer answer = {false, any_open(&v->all_writes, &it->pure)};
    v->all_reads.at[t] = it->pure.at[t];
    size_t kept = 0;
    for (size_t i = 0; i < v->read_count; i++)
        if (v->reads[i].thread == (uint32_t)t && v->reads[i].clock == it->now.at[t]) return answer;
    for (size_t i = 0; i < v->read_count; i++)
        if (v->reads[i].clock > it->now.at[v->reads[i].thread]) v->reads[kept++] = v->reads[i];
    v->reads[kept++] = (struct ref_read){(uint32_t)t, it->now.at[t]};
    v->read_count = kept;
    if (v->write_clock <= it->now.at[v->writer]) return answer;
    answer.rule = true;
    ref->races++;
    if (ref->shb) join(&it->now, &ref->threads[v->writer].ends[v->write_clock - 1]);
    return answer;
}

static void meet(struct ref *ref, int t, const struct ref_var *v) {
    struct ref_thread *it = &ref->threads[t];
    if (!v->write_clock || v->writer == (uint32_t)t) return;
    ref->met++;
    if (v->write_clock > it->now.at[v->writer]) return; /* a race */
    if (v->write_locks & it->locks)
        ref->by_lock++;
    else if (v->write_clock > it->hard.at[v->writer])
        ref->predicted++;
}

struct ref_answer ref_write(struct ref *ref, int t, int var) {
    struct ref_thread *it = &ref->threads[t];
    struct ref_var *v = &ref->vars[var];
    struct ref_answer answer = {false,
                                any_open(&v->all_writes, &it->pure) || any_open(&v->all_reads, &it->pure)};
    v->all_writes.at[t] = it->pure.at[t];
    if (v->writer == (uint32_t)t && v->write_clock == it->now.at[t]) return answer;
    meet(ref, t, v);
    v->write_locks = it->locks;
    uint64_t races = v->write_clock > it->now.at[v->writer];
    v->writer = (uint32_t)t;
    v->write_clock = it->now.at[t];
    size_t open = 0;
    for (size_t i = 0; i < v->read_count; i++) open += v->reads[i].clock > it->now.at[v->reads[i].thread];
    v->read_count = 0; /* whoever does not cover them does not cover this write either */
    races += open;
    ref->races += races;
    answer.rule = races != 0;
    return answer;
}

void ref_forget(struct ref *ref, int var) {
    memset(&ref->vars[var], 0, sizeof ref->vars[var]);
}
