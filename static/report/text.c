/*
 * The report for the terminal, in the manner of TSan and Go: a block per race with both stacks, then one line
 * for each warning that the runs answered, then the numbers.  A screen should hold it: races of the same two
 * methods on one location share a block, and frames of the JDK a line, unless all is wanted.
 */
#include "kin.h"
#include "names.h"
#include "print.h"
#include "promises.h"
#include "source.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* What is shown unless all is wanted.  Confirmed races always have their block. */
enum {
    LISTED = 20, /* lines: warnings of one verdict, races of one block, hidden races */
    BLOCKS = 100 /* blocks of races that no run confirmed */
};

struct text {
    const struct report *r;
    const struct report_print_options *o;
    struct sources sources;
    struct arena arena; /* for small texts */
    struct kin *kin;    /* by race; not asked for when all is wanted */
    FILE *out;
};

enum colour { PLAIN, BOLD, RED, YELLOW, GREEN, GREY };

static void colour(struct text *t, enum colour c) {
    static const char *const codes[] = {"\033[0m",  "\033[1m",  "\033[1;31m",
                                        "\033[33m", "\033[32m", "\033[2m"};
    if (t->o->colour) fputs(codes[c], t->out);
}

/* Names come from the program under test: a control character in one must not reach the terminal. */
static void put(struct text *t, const char *s) {
    for (; *s != '\0'; s++) {
        bool control = (unsigned char)*s < 0x20 || *s == 0x7f;
        fputc(control && *s != '\n' && *s != '\t' ? '?' : *s, t->out);
    }
}

__attribute__((format(printf, 2, 3))) static void say(struct text *t, const char *fmt, ...) {
    va_list ap;
    char buf[2048];
    va_start(ap, fmt);
    vsnprintf(buf, sizeof buf, fmt, ap);
    va_end(ap);
    put(t, buf);
}

static enum colour verdict_colour(enum report_verdict v) {
    return v == REPORT_CONFIRMED ? RED : v == REPORT_PREDICTED || v == REPORT_STATIC ? YELLOW : GREEN;
}

/* The line of the access with a caret under the field, if the source is at hand. */
static void put_source(struct text *t, const struct report_race *race, const struct report_access *a) {
    const char *line = sources_line(&t->sources, a, a->line);
    if (line == NULL) return;
    size_t at = sources_column(line, race->field);
    colour(t, GREY);
    say(t, "        %5d | ", a->line);
    colour(t, PLAIN);
    put(t, line);
    say(t, "\n              | ");
    for (size_t i = 0; i < at; i++) fputc(line[i] == '\t' ? '\t' : ' ', t->out);
    colour(t, RED);
    put(t, "^\n");
    colour(t, PLAIN);
}

static void put_locks(struct text *t, const struct report_access *a) {
    if (a->n_locks == 0) {
        put(t, a->locks_unknown ? "    its locks are not known any more\n" : "    holding no lock\n");
        return;
    }
    for (size_t i = 0; i < a->n_locks; i++) {
        say(t, "    holding %s", a->locks[i].cls);
        if (a->locks[i].acquired != NULL) say(t, ", locked at %s", a->locks[i].acquired);
        put(t, "\n");
    }
}

static bool same_frames(const struct report_strings *a, const struct report_strings *b) {
    if (a->n != b->n) return false;
    for (size_t i = 0; i < a->n; i++)
        if (strcmp(a->v[i], b->v[i]) != 0) return false;
    return true;
}

/* A stack; frames of the JDK that stand together become one line, but for the first, unless all are wanted.
 */
static void put_frames(struct text *t, const struct report_strings *stack, const struct report_race *race,
                       const struct report_access *source) {
    for (size_t i = 0, end; i < stack->n; i = end) {
        for (end = i; end < stack->n && i > 0 && !t->o->all && frame_of_jdk(stack->v[end]);) end++;
        if (end >= i + 2) {
            say(t, "      ... %zu of the JDK\n", end - i);
            continue;
        }
        end = i + 1;
        say(t, "      at %s\n", stack->v[i]);
        if (i == 0 && source != NULL) put_source(t, race, source);
    }
}

static void put_access(struct text *t, const struct report_race *race, int which, bool earlier) {
    const struct report_access *a = &race->accesses[which];
    const char *what = a->is_write ? "Write" : "Read";
    colour(t, BOLD);
    if (earlier) what = a->is_write ? "Previous write" : "Previous read";
    say(t, "  %s", what);
    colour(t, PLAIN);
    if (a->ran && a->thread == NULL)
        put(t, " by an unnamed thread:\n");
    else if (a->ran)
        say(t, " by thread \"%s\":\n", a->thread);
    else if (a->thread != NULL)
        say(t, " by a thread of %s:\n", a->thread);
    else
        put(t, ":\n");
    put_frames(t, &a->stack, race, a);
    if (a->ran || a->n_locks > 0) put_locks(t, a);
    if (a->created.n == 0) return;
    const struct report_access *shown = earlier ? &race->accesses[1] : NULL;
    if (!t->o->all && shown != NULL && same_frames(&shown->created, &a->created)) {
        put(t, "    thread started there too\n");
    } else {
        put(t, "    thread started:\n");
        put_frames(t, &a->created, NULL, NULL);
    }
}

/* How many races share the block of this one, which is their first. */
static uint64_t n_kin(const struct text *t, const struct report_race *race) {
    uint64_t n = 0;
    for (uint32_t next = t->kin[race - t->r->races.v].next; next != NO_KIN; next = t->kin[next].next) n++;
    return n;
}

/* Whether an earlier race has told of this one in its block. */
static bool is_told(const struct text *t, const struct report_race *race) {
    size_t at = (size_t)(race - t->r->races.v);
    return !t->o->all && t->kin[at].first != at;
}

static void put_relative(struct text *t, const struct report_race *race, const struct report_race *other) {
    arena_clear(&t->arena);
    bool timed = other->verdict == REPORT_CONFIRMED;
    say(t, "  Also %s", other->id);
    if (other->verdict != race->verdict) say(t, ", %s", report_verdict_names[other->verdict]);
    say(t, ": %s, ", print_access_words(&t->arena, &other->accesses[timed ? 1 : 0]));
    say(t, "%s", print_access_words(&t->arena, &other->accesses[timed ? 0 : 1]));
    if (other->count == 1) put(t, "; once");
    if (other->count > 1) say(t, "; %" PRIu64 " times", other->count);
    put(t, "\n");
}

/* The other races of the same two methods, a line each. */
static void put_kin(struct text *t, const struct report_race *race) {
    uint64_t n = 0;
    uint32_t next = t->kin[race - t->r->races.v].next;
    for (; next != NO_KIN; next = t->kin[next].next)
        if (n++ < LISTED) put_relative(t, race, &t->r->races.v[next]);
    if (n > LISTED)
        say(t, "  Also %" PRIu64 " more of the same two methods (--all shows them)\n", n - LISTED);
}

static void put_race(struct text *t, const struct report_race *race) {
    put(t, "==================\n");
    colour(t, verdict_colour(race->verdict));
    say(t, "%s %s: %s", race->verdict == REPORT_CONFIRMED ? "DATA RACE" : "POSSIBLE RACE", race->id,
        report_verdict_names[race->verdict]);
    colour(t, PLAIN);
    static const char *const what[PLAN_N_KINDS] = {"field", "static field", "elements of", "container"};
    say(t, ", %s %s\n", what[race->kind], race->field);
    /* The later access first, as debuggers do: it is the one that a stop at the race would show. */
    bool timed = race->verdict == REPORT_CONFIRMED;
    put_access(t, race, timed ? 1 : 0, false);
    put_access(t, race, timed ? 0 : 1, timed);
    if (race->value != NULL) say(t, "  Value just before the later access: %s\n", race->value);
    if (race->seen != NULL) say(t, "  %s\n", race->seen);
    if (race->reason != NULL) say(t, "  Static reason: %s.\n", race->reason);
    if (race->test != NULL) say(t, "  Running test: %s\n", race->test);
    if (!t->o->all) put_kin(t, race);
}

static bool has_block(const struct text *t, const struct report_race *race) {
    return t->o->all || race->verdict >= REPORT_PREDICTED || race->verdict == REPORT_STATIC;
}

static void put_line(struct text *t, const struct report_race *race) {
    arena_clear(&t->arena);
    colour(t, verdict_colour(race->verdict));
    say(t, "%-12s", report_verdict_names[race->verdict]);
    colour(t, PLAIN);
    say(t, "%-5s %s: %s, ", race->id, race->field, print_access_words(&t->arena, &race->accesses[0]));
    say(t, "%s\n", print_access_words(&t->arena, &race->accesses[1]));
    if (race->verdict != REPORT_UNEXERCISED && race->seen != NULL) say(t, "%17s %s\n", "", race->seen);
}

/* Races, and what may still be one: both stacks in full.  They are ranked, so that the first are shown. */
static void put_blocks(struct text *t) {
    bool any = false;
    uint64_t possible = 0, left = 0, blocks_left = 0;
    const struct report_race *race;
    VEC_FOREACH (race, &t->r->races) {
        if (race->hidden != REPORT_SHOWN || !has_block(t, race) || is_told(t, race)) continue;
        if (!t->o->all && race->verdict != REPORT_CONFIRMED && ++possible > BLOCKS) {
            blocks_left++;
            left += n_kin(t, race) + 1;
            continue;
        }
        put_race(t, race);
        any = true;
    }
    if (any) put(t, "==================\n");
    if (left > 0)
        say(t,
            "... and %" PRIu64 " more possible race%s in %" PRIu64
            " block%s (--all shows them; --format html is easier to search)\n",
            left, plural(left), blocks_left, plural(blocks_left));
    if (any) put(t, "\n");
}

/* Warnings that the runs answered: a line or two, and not too many of one kind. */
static void put_lines(struct text *t) {
    uint64_t of_verdict[REPORT_N_VERDICTS] = {0};
    bool any = false;
    const struct report_race *race;
    VEC_FOREACH (race, &t->r->races) {
        if (race->hidden != REPORT_SHOWN || has_block(t, race)) continue;
        uint64_t n = ++of_verdict[race->verdict], total = t->r->summary.verdicts[race->verdict];
        if (n <= LISTED) put_line(t, race);
        if (n == LISTED && total > LISTED)
            say(t, "%-12s... and %" PRIu64 " more (--all shows them)\n", report_verdict_names[race->verdict],
                total - LISTED);
        any = true;
    }
    if (any) put(t, "\n");
}

/* What was accepted, by whom: a suppression nobody sees is never removed.  The baseline is only counted. */
static void put_hidden(struct text *t) {
    const struct report_race *race;
    uint64_t n = 0;
    VEC_FOREACH (race, &t->r->races) {
        if (race->hidden != REPORT_SUPPRESSED && race->hidden != REPORT_BENIGN) continue;
        if (n++ >= LISTED && !t->o->all) continue;
        say(t, "%-12s%-5s %s (%s), by %s\n", report_hidden_names[race->hidden], race->id, race->field,
            report_verdict_names[race->verdict], race->hidden_by);
    }
    if (n > LISTED && !t->o->all)
        say(t, "%-12s... and %" PRIu64 " more (--all shows them)\n", "hidden", n - LISTED);
    if (n > 0) put(t, "\n");
}

static void put_promises(struct text *t) {
    const struct report_promise *p;
    VEC_FOREACH (p, &t->r->promises) {
        say(t, "NOT KEPT    @%s %s\n", p->annotation, promise_text(&t->arena, p));
    }
    if (t->r->promises.n > 0) put(t, "\n");
}

static void put_verdicts(struct text *t) {
    const struct report_summary *s = &t->r->summary;
    const char *comma = "";
    for (int v = REPORT_CONFIRMED; v >= REPORT_STATIC; v--) {
        if (s->verdicts[v] == 0 && v != REPORT_CONFIRMED) continue;
        if (v == REPORT_CONFIRMED && t->r->runs.n == 0) continue;
        if (v == REPORT_STATIC)
            say(t, "%s%" PRIu64 " warning%s", comma, s->verdicts[v], plural(s->verdicts[v]));
        else
            say(t, "%s%" PRIu64 " %s", comma, s->verdicts[v], report_verdict_names[v]);
        comma = ", ";
    }
    if (*comma == '\0') put(t, "no warnings");
}

/* Warnings that a run answered: both sides ran. */
static uint64_t exercised(const struct report *r) {
    uint64_t n = 0;
    for (size_t i = 0; i < r->races.n; i++)
        n += r->races.v[i].is_static && r->races.v[i].verdict >= REPORT_APART;
    return n;
}

static uint64_t proof(const struct report *r, const char *name) {
    for (size_t i = 0; i < r->proof.n; i++)
        if (strcmp(r->proof.v[i].name, name) == 0) return r->proof.v[i].n;
    return 0;
}

/* "12 of 90 methods unproved"; nothing if there is no total. */
static void put_share(struct text *t, uint64_t n, uint64_t total, const char *what) {
    if (total > 0) say(t, "; %" PRIu64 " of %" PRIu64 " %s", n, total, what);
}

static void put_proof(struct text *t) {
    const struct report *r = t->r;
    for (size_t i = 0; i < r->funnel.n; i++)
        say(t, "%s%s %" PRIu64, i == 0 ? "  pairs: " : ", ", r->funnel.v[i].name, r->funnel.v[i].n);
    if (r->funnel.n > 0) put(t, "\n");
    if (!r->has_plan) return;
    uint64_t classes = proof(r, "classes"), total = r->summary.total_sites;
    uint64_t sites = proof(r, "unproved_sites") + proof(r, PLAN_META_UNREACHED_SITES);
    uint64_t unreached = proof(r, PLAN_META_UNREACHED_METHODS);
    say(t, "  proved: %" PRIu64 " of %" PRIu64 " access sites in %" PRIu64 " class%s",
        total > sites ? total - sites : 0, total, classes, classes == 1 ? "" : "es");
    put_share(t, proof(r, "unsafe_fields"), proof(r, PLAN_META_TOTAL_FIELDS), "fields race-unsafe");
    put_share(t, proof(r, PLAN_META_UNTYPED_METHODS), proof(r, PLAN_META_TOTAL_METHODS), "methods unproved");
    put(t, "\n");
    if (unreached > 0)
        say(t, "  not reached: %" PRIu64 " method%s, no call of which was seen; checked in full if %s\n",
            unreached, plural(unreached), unreached == 1 ? "it runs" : "they run");
}

static void put_summary(struct text *t) {
    const struct report *r = t->r;
    const struct report_summary *s = &r->summary;
    colour(t, BOLD);
    put(t, "race: ");
    if (r->has_plan && r->runs.n > 0)
        say(t, "%" PRIu64 " of %" PRIu64 " warnings exercised: ", exercised(r), s->static_warnings);
    put_verdicts(t);
    put(t, "\n");
    colour(t, PLAIN);
    if (s->hidden[REPORT_SUPPRESSED] + s->hidden[REPORT_BENIGN] + s->hidden[REPORT_IN_BASELINE] > 0)
        say(t, "  hidden: %" PRIu64 " suppressed, %" PRIu64 " benign, %" PRIu64 " in the baseline\n",
            s->hidden[REPORT_SUPPRESSED], s->hidden[REPORT_BENIGN], s->hidden[REPORT_IN_BASELINE]);
    if (r->promises.n > 0)
        say(t, "  annotations: %zu place%s that do%s not keep what they promise\n", r->promises.n,
            plural(r->promises.n), r->promises.n == 1 ? "es" : "");
    put_proof(t);
    if (r->runs.n > 0)
        say(t, "  watched: %" PRIu64 " of %" PRIu64 " access sites in %zu run%s\n", s->instrumented_sites,
            s->total_sites, r->runs.n, plural(r->runs.n));
    for (size_t i = 0; i < r->skipped.n; i++)
        say(t, "  not checked: %" PRIu64 " class%s: %s\n", r->skipped.v[i].n,
            r->skipped.v[i].n == 1 ? "" : "es", r->skipped.v[i].name);
    for (size_t i = 0; i < r->stale.n; i++)
        say(t, "  changed since the analysis, checked in full: %s\n", r->stale.v[i]);
    for (size_t i = 0; i < r->unused_suppressions.n; i++)
        say(t, "  unused suppression: %s\n", r->unused_suppressions.v[i]);
    for (size_t i = 0; i < r->notes.n; i++) say(t, "  note: %s\n", r->notes.v[i]);
}

char *print_race_block(const struct report *r, const struct report_race *race,
                       const struct report_print_options *o) {
    struct report_print_options plain = *o;
    plain.colour = false;
    plain.all = true; /* a race by itself: nothing to leave out */
    char *text = NULL;
    size_t n = 0;
    struct text t = {.r = r, .o = &plain, .out = open_memstream(&text, &n)};
    if (t.out == NULL) return NULL;
    sources_init(&t.sources, &plain);
    put_race(&t, race);
    sources_release(&t.sources);
    fclose(t.out);
    return text;
}

bool print_text(const struct report *r, const struct report_print_options *o, FILE *out) {
    struct text t = {.r = r, .o = o, .out = out};
    sources_init(&t.sources, o);
    arena_init(&t.arena);
    t.kin = kin_find(r);
    put_blocks(&t);
    put_lines(&t);
    put_promises(&t);
    put_hidden(&t);
    put_summary(&t);
    free(t.kin);
    arena_release(&t.arena);
    sources_release(&t.sources);
    return !ferror(out);
}
