/*
 * GitHub workflow commands: one annotation per race at the access that writes.  GitHub shows only the first
 * ten errors and ten warnings of a step, so the strongest come first, as in every report.
 */
#include "print.h"
#include "promises.h"
#include "source.h"

#include <inttypes.h>
#include <string.h>

/* Escapes as the runner undoes them; in a property ':' and ',' are special as well. */
static void put(FILE *out, const char *s, bool property) {
    for (; *s != '\0'; s++) {
        bool special = *s == '%' || *s == '\r' || *s == '\n' || (property && (*s == ':' || *s == ','));
        if (special)
            fprintf(out, "%%%02X", (unsigned char)*s);
        else /* a log is a terminal too */
            fputc((unsigned char)*s < 0x20 || *s == 0x7f ? '?' : *s, out);
    }
}

static const char *command(enum report_verdict v) {
    return v == REPORT_CONFIRMED ? "error" : "warning";
}

static void put_access(FILE *out, struct arena *arena, const struct report_access *a) {
    put(out, print_access_words(arena, a), false);
    if (a->ran && a->thread != NULL) {
        put(out, " by thread ", false);
        put(out, a->thread, false);
    }
    put(out, "\n", false);
}

static void put_race(const struct report_race *race, struct sources *sources, FILE *out) {
    int main = race->accesses[0].is_write ? 0 : 1;
    const struct report_access *a = &race->accesses[main];
    fprintf(out, "::%s file=", command(race->verdict));
    put(out, sources_path(sources, a), true);
    if (a->line > 0) fprintf(out, ",line=%d", a->line);
    fputs(",title=", out);
    put(out, race->verdict == REPORT_CONFIRMED ? "Data race on " : "Possible data race on ", true);
    put(out, race->field, true);
    fputs("::", out);
    put_access(out, &sources->arena, a);
    put_access(out, &sources->arena, &race->accesses[1 - main]);
    if (race->why != NULL) put(out, race->why, false);
    fputc('\n', out);
}

static void put_promise(const struct report_promise *p, struct sources *sources, FILE *out) {
    fputs("::warning file=", out);
    put(out, sources_path(sources, &p->at), true);
    if (p->at.line > 0) fprintf(out, ",line=%d", p->at.line);
    fprintf(out, ",title=@%s not kept::", p->annotation);
    put(out, promise_text(&sources->arena, p), false);
    fputc('\n', out);
}

bool print_github(const struct report *r, const struct report_print_options *o, FILE *out) {
    struct sources sources;
    sources_init(&sources, o);
    for (size_t i = 0; i < r->races.n; i++) {
        const struct report_race *race = &r->races.v[i];
        bool wanted = race->verdict >= REPORT_PREDICTED || race->verdict == REPORT_STATIC;
        if (race->hidden == REPORT_SHOWN && (wanted || report_race_fails(race, o->fail_on)))
            put_race(race, &sources, out);
    }
    for (size_t i = 0; i < r->promises.n; i++) put_promise(&r->promises.v[i], &sources, out);
    sources_release(&sources);
    const uint64_t *n = r->summary.verdicts;
    fprintf(out,
            "::notice title=race::%" PRIu64 " confirmed, %" PRIu64 " predicted, %" PRIu64 " ordered, %" PRIu64
            " static warnings in all\n",
            n[REPORT_CONFIRMED], n[REPORT_PREDICTED], n[REPORT_ORDERED], r->summary.static_warnings);
    return !ferror(out);
}
