/*
 * The sentences of a report.  They say what was counted and nothing more: a verdict is a statement about
 * these runs, and the reader should be able to check it against the evidence.
 */
#include "why.h"

#include "names.h" /* plural */

#include <inttypes.h>
#include <string.h>

static const char *times(struct arena *a, uint64_t n) {
    return n == 1 ? "once" : arena_printf(a, "%" PRIu64 " times", n);
}

/* "by lock java.lang.Object 10 times, by start/join once"; the number goes without saying if there is one
 * way.
 */
static const char *orders(struct arena *a, const struct report_evidence *e) {
    static const char *const names[RESULT_N_ORDERS] = {"a lock", "a volatile", "start/join", "a hand-off"};
    static const char *const named[RESULT_N_ORDERS] = {"lock", "volatile", NULL, "a hand-off of"};
    const char *text = "";
    int ways = 0;
    for (int i = 0; i < RESULT_N_ORDERS; i++) ways += e->ordered[i] > 0;
    for (int i = 0; i < RESULT_N_ORDERS; i++) {
        if (e->ordered[i] == 0) continue;
        const char *by = names[i];
        if (named[i] != NULL && e->by[i] != NULL) by = arena_printf(a, "%s %s", named[i], e->by[i]);
        const char *often = ways > 1 ? arena_printf(a, " %s", times(a, e->ordered[i])) : "";
        text = arena_printf(a, "%s%sby %s%s", text, *text != '\0' ? ", " : "", by, often);
    }
    return text;
}

const char *why_seen(struct arena *a, const struct report_race *race) {
    const struct report_evidence *e = &race->evidence;
    const char *how = orders(a, e);
    switch (race->verdict) {
    case REPORT_CONFIRMED:
        return arena_printf(
            a, "Seen %s in %zu run%s: no lock, volatile, start/join or hand-off ordered the two.",
            times(a, race->count), race->runs, plural(race->runs));
    case REPORT_PREDICTED:
        if (e->met == e->predicted)
            return arena_printf(a, "Met %s, ordered only by the accident of the schedule.", times(a, e->met));
        return arena_printf(a, "Met %s, %s of these ordered only by the accident of the schedule; else %s.",
                            times(a, e->met), times(a, e->predicted), how);
    case REPORT_ORDERED:
        return arena_printf(a, "Met %s, ordered%s%s%s.", times(a, e->met), e->met > 1 ? " each time" : "",
                            *how != '\0' ? " " : "", how);
    case REPORT_APART: return "Both accesses ran, but never on one location from two threads.";
    case REPORT_HALF: return e->first > 0 ? "Only the first access ran." : "Only the second access ran.";
    case REPORT_UNEXERCISED: return "Neither access ran.";
    case REPORT_STATIC: break;
    }
    return report_verdict_help[REPORT_STATIC];
}

const char *why_no_warning(const struct report_race *race, bool has_plan, bool stale) {
    if (race->is_static || !has_plan) return NULL;
    if (stale) return "none; the plan does not have it, since a class here has changed since the analysis";
    return "none; the static half did not warn of it: please report this as a bug of race";
}

const char *why_text(struct arena *a, const struct report_race *race) {
    if (race->reason == NULL) return race->seen;
    return arena_printf(a, "%s Static reason: %s.", race->seen, race->reason);
}
