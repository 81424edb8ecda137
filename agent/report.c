#include "report.h"

#include "json.h"      /* struct json serves as a growing text as well */
#include "race/plan.h" /* plan_location_text: both halves spell names alike */
#include "sites.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void report_class_name(const char *internal, char *buf, size_t size) {
    snprintf(buf, size, "%s", internal);
    for (char *p = buf; *p != '\0'; p++)
        if (*p == '/') *p = '.';
}

void report_type_name(const char *signature, char *buf, size_t size) {
    size_t n = strlen(signature);
    char name[400];
    if (signature[0] == '[') {
        plan_location_text(PLAN_ARRAY, signature, "", buf, size);
    } else {
        snprintf(name, sizeof name, "%.*s", n < 2 ? 0 : (int)n - 2, signature + 1);
        plan_location_text(PLAN_CONTAINER, name, "", buf, size);
    }
}

void report_field_name(const char *owner, const char *field, char *buf, size_t size) {
    plan_location_text(field != NULL ? PLAN_INSTANCE : PLAN_CONTAINER, owner, field, buf, size);
}

void report_site_frame(uint32_t site, char *buf, size_t size) {
    const struct site *s = sites_get(site);
    char name[400], where[300] = "Unknown Source";
    report_class_name(s->class_name, name, sizeof name);
    if (s->file[0] != '\0' && s->line > 0)
        snprintf(where, sizeof where, "%.250s:%d", s->file, s->line);
    else if (s->file[0] != '\0')
        snprintf(where, sizeof where, "%.250s", s->file);
    snprintf(buf, size, "%s.%s(%s)", name, s->method, where);
}

static void put(struct json *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void put(struct json *out, const char *fmt, ...) {
    char line[1200];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    json_raw_clean(out, line);
}

static void put_frames(struct json *out, const uint64_t *frames, size_t n) {
    char text[600];
    for (size_t i = 0; i < n; i++) {
        stacks_format(frames[i], text, sizeof text);
        put(out, "    at %s\n", text);
    }
}

static void put_access(struct json *out, const struct found_access *a, const char *intro) {
    char frame[700];
    put(out, "  %s%s by thread '%s':\n", intro, a->is_write ? "rite" : "ead", a->thread);
    if (a->n_stack > 0) {
        put_frames(out, a->stack, a->n_stack);
    } else {
        report_site_frame(a->site, frame, sizeof frame);
        put(out, "    at %s\n", frame);
    }
    for (size_t i = 0; i < a->n_locks; i++)
        put(out, "    holding %s%s%s\n", a->locks[i].class_name, a->locks[i].acquired[0] ? ", taken at " : "",
            a->locks[i].acquired);
    put(out, "\n");
}

static void put_thread(struct json *out, const struct found_access *a) {
    if (a->n_created == 0) return;
    put(out, "  Thread '%s' was started:\n", a->thread);
    put_frames(out, a->created, a->n_created);
    put(out, "\n");
}

void report_race(const struct race_found *r) {
    struct json out = {0};
    char frame[700];
    put(&out, "==================\nWARNING: DATA RACE on %s %s\n", r->kind, r->field);
    if (r->test[0] != '\0') put(&out, "  In test %s\n", r->test);
    put_access(&out, &r->now, r->now.is_write ? "W" : "R");
    put_access(&out, &r->earlier, r->earlier.is_write ? "Previous w" : "Previous r");
    put_thread(&out, &r->now);
    put_thread(&out, &r->earlier);
    if (r->value[0] != '\0') put(&out, "  Value just before the later access: %s\n\n", r->value);
    report_site_frame(r->now.site, frame, sizeof frame);
    put(&out, "SUMMARY: data race on %s at %s\n==================\n", r->field, frame);
    if (json_ok(&out)) fputs(out.text, stderr); /* one call, so that reports of two threads do not mix */
    json_release(&out);
}

void report_breach(const struct breach *b) {
    struct json out = {0};
    char name[400], caller[400] = "";
    report_class_name(b->class_name, name, sizeof name);
    if (b->lock != NULL) {
        report_class_name(b->caller, caller, sizeof caller);
        put(&out, "==================\nNOTE: %s.%s was called without the lock that it requires: %s\n", name,
            b->method, b->lock);
    } else {
        put(&out, "==================\nNOTE: %s.%s runs, though the analysis saw no call of it\n", name,
            b->method);
    }
    put_frames(&out, b->stack, b->n_stack);
    put(&out,
        "  %s%s From now on all accesses of %u classes are checked, as far as they can be;\n"
        "  to be sure of all of them, analyse again with it or run with mode=full.\n==================\n",
        caller, b->lock != NULL ? " is not in the plan." : "The plan is not complete.", b->classes);
    if (json_ok(&out)) fputs(out.text, stderr);
    json_release(&out);
}

void report_summary(uint64_t races, uint64_t suppressed, const char *path) {
    if (races > 0)
        fprintf(stderr, "race: %" PRIu64 " data race%s, details in %s\n", races, races == 1 ? "" : "s", path);
    if (suppressed > 0)
        fprintf(stderr, "race: %" PRIu64 " data race%s suppressed\n", suppressed, suppressed == 1 ? "" : "s");
}
