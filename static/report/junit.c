/*
 * JUnit XML, which every CI shows: a race is a test case.  It fails if it is at or above --fail-on, is
 * skipped if the runs did not exercise it, and passes otherwise with its story as output.  A report without
 * races has one passing case, because some CIs take an empty file for a broken one.
 */
#include "print.h"
#include "promises.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* XML 1.0 has no way to write most control characters. */
static void put_xml(FILE *out, const char *s, bool attribute) {
    for (; *s != '\0'; s++) {
        switch (*s) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        case '\n': fputs(attribute ? "&#10;" : "\n", out); break;
        case '\t': fputs(attribute ? "&#9;" : "\t", out); break;
        default: fputc((unsigned char)*s < 0x20 ? '?' : *s, out);
        }
    }
}

static void put(FILE *out, const char *s) {
    put_xml(out, s, true);
}

static bool is_skipped(const struct report_race *race) {
    return race->verdict == REPORT_UNEXERCISED || race->verdict == REPORT_HALF;
}

static void put_case_start(FILE *out, const struct report_race *race) {
    const struct report_access *a = &race->accesses[0], *b = &race->accesses[1];
    fputs("    <testcase classname=\"", out);
    put(out, a->cls);
    fputs("\" name=\"", out);
    /* No line numbers: a CI follows a case over builds by its name. */
    put(out, race->field);
    fprintf(out, ": %s in ", a->is_write ? "write" : "read");
    put(out, a->method);
    fprintf(out, ", %s in ", b->is_write ? "write" : "read");
    put(out, b->cls);
    fputc('.', out);
    put(out, b->method);
    fputs("\" time=\"0\">\n", out);
}

static void put_story(FILE *out, const struct report *r, const struct report_race *race,
                      const struct report_print_options *o) {
    char *story = print_race_block(r, race, o);
    if (story != NULL) put_xml(out, story, false);
    free(story);
}

static void put_case(FILE *out, const struct report *r, const struct report_race *race,
                     const struct report_print_options *o) {
    put_case_start(out, race);
    if (report_race_fails(race, o->fail_on)) {
        fprintf(out, "      <failure type=\"%s\" message=\"", report_verdict_names[race->verdict]);
        put(out, race->verdict == REPORT_CONFIRMED ? "data race on " : "possible data race on ");
        put(out, race->field);
        fputs("\">", out);
        put_story(out, r, race, o);
        fputs("</failure>\n", out);
    } else if (is_skipped(race)) {
        fputs("      <skipped message=\"", out);
        put(out, report_verdict_help[race->verdict]);
        fputs("\"/>\n", out);
    } else {
        fputs("      <system-out>", out);
        put_story(out, r, race, o);
        fputs("</system-out>\n", out);
    }
    fputs("    </testcase>\n", out);
}

static void put_promise(FILE *out, const struct report_promise *p, bool fails) {
    const char *element = fails ? "failure" : "system-out";
    struct arena arena;
    arena_init(&arena);
    fputs("    <testcase classname=\"", out);
    put(out, p->at.cls);
    fprintf(out, "\" name=\"@%s ", p->annotation);
    put(out, p->location);
    fprintf(out, ": %s in ", p->access);
    put(out, p->at.method);
    fprintf(out, "\" time=\"0\">\n      <%s%s>", element,
            fails ? " type=\"promise\" message=\"not kept\"" : "");
    put_xml(out, promise_text(&arena, p), false);
    fprintf(out, "</%s>\n    </testcase>\n", element);
    arena_release(&arena);
}

bool print_junit(const struct report *r, const struct report_print_options *o, FILE *out) {
    uint64_t tests = 0, failures = 0, skipped = 0;
    for (size_t i = 0; i < r->races.n; i++) {
        const struct report_race *race = &r->races.v[i];
        if (race->hidden != REPORT_SHOWN) continue;
        bool fails = report_race_fails(race, o->fail_on);
        tests++;
        failures += fails;
        skipped += !fails && is_skipped(race);
    }
    bool promises_fail = o->fail_on == REPORT_FAIL_ANY;
    tests += r->promises.n;
    failures += promises_fail ? r->promises.n : 0;
    bool none = tests == 0;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
    for (int level = 0; level < 2; level++) {
        fprintf(out,
                "%s name=\"race\" tests=\"%" PRIu64 "\" failures=\"%" PRIu64
                "\" errors=\"0\" skipped=\"%" PRIu64 "\" time=\"0\">\n",
                level == 0 ? "<testsuites" : "  <testsuite", none ? 1 : tests, failures, skipped);
    }
    for (size_t i = 0; i < r->races.n; i++)
        if (r->races.v[i].hidden == REPORT_SHOWN) put_case(out, r, &r->races.v[i], o);
    for (size_t i = 0; i < r->promises.n; i++) put_promise(out, &r->promises.v[i], promises_fail);
    if (none) fputs("    <testcase classname=\"race\" name=\"no data race\" time=\"0\"/>\n", out);
    fputs("  </testsuite>\n</testsuites>\n", out);
    return !ferror(out);
}
