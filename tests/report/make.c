/*
 * Makes the input of a report as the analysis and the agent would: FOLDER/app.plan, FOLDER/run1.jsonl and
 * FOLDER/run2.jsonl, and FOLDER/src with the sources.
 *
 * usage: make FOLDER PAIRS
 *
 * Pair i (from 0) is a race on p<i % 7>.C<i % 50>.f<i> between put() and get(); its verdict in the two runs
 * together is, by i % 6: confirmed, predicted, ordered, apart, half, unexercised.  run1 has one confirmed
 * race more that the plan does not know.
 */
#include "race/plan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { N_CLASSES = 350, N_PACKAGES = 7, GET_BCI = 100000 };

static FILE *create(const char *folder, const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    if (f != NULL) return f;
    perror(path);
    exit(1);
}

static void make_folder(const char *folder, const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (mkdir(path, 0777) == 0 || errno == EEXIST) return;
    perror(path);
    exit(1);
}

/* Class c holds the fields f<c>, f<c + N_CLASSES>, ...; one line each in put() and in get(). */
static void write_sources(const char *folder, int pairs) {
    make_folder(folder, "src");
    for (int c = 0; c < N_CLASSES && c < pairs; c++) {
        char name[64];
        snprintf(name, sizeof name, "src/p%d", c % N_PACKAGES);
        make_folder(folder, name);
        snprintf(name, sizeof name, "src/p%d/C%d.java", c % N_PACKAGES, c);
        FILE *f = create(folder, name);
        fprintf(f, "package p%d;\npublic class C%d {\n    void put(int v) {\n", c % N_PACKAGES, c);
        for (int i = c; i < pairs; i += N_CLASSES) fprintf(f, "\tthis.f%d = v < 0 ? 0 : v; // <b>&amp;\n", i);
        fprintf(f, "    }\n    int get() {\n");
        for (int i = c; i < pairs; i += N_CLASSES) fprintf(f, "        if (f%d > 0) return 1;\n", i);
        fprintf(f, "        return 0;\n    }\n}\n");
        fclose(f);
    }
}

static int put_line(int i) {
    return 4 + i / N_CLASSES;
}

static int get_line(int i, int pairs) {
    int c = i % N_CLASSES, fields = (pairs - c + N_CLASSES - 1) / N_CLASSES;
    return 6 + fields + i / N_CLASSES;
}

static void write_class(struct plan_writer *w, int c, int pairs, plan_site_id *puts, plan_site_id *gets) {
    char name[64], file[32], field[32];
    snprintf(name, sizeof name, "p%d/C%d", c % N_PACKAGES, c);
    snprintf(file, sizeof file, "C%d.java", c);
    plan_write_class(w, name, (uint64_t)c, file, true);
    for (int i = c; i < pairs; i += N_CLASSES) {
        snprintf(field, sizeof field, "f%d", i);
        plan_write_field(w, field, "I");
    }
    for (int get = 0; get < 2; get++) {
        plan_write_method(w, get ? "get" : "put", get ? "()I" : "(I)V", PLAN_UNTYPED);
        for (int i = c; i < pairs; i += N_CLASSES) {
            snprintf(field, sizeof field, "f%d", i);
            (get ? gets : puts)[i] =
                plan_write_site(w, (uint32_t)(i + get * GET_BCI), get ? get_line(i, pairs) : put_line(i),
                                !get, PLAN_INSTANCE, name, field);
        }
    }
}

static void write_plan(const char *folder, int pairs, struct plan *p) {
    struct race_error err = {0};
    char path[512];
    snprintf(path, sizeof path, "%s/app.plan", folder);
    struct plan_writer *w = plan_writer_new(path, &err);
    plan_site_id *puts = calloc((size_t)pairs, sizeof *puts), *gets = calloc((size_t)pairs, sizeof *gets);
    const char *stages[] = {"original", "reachable", "aliasing", "escaping",
                            "parallel", "unlocked",  "ultimate"};
    if (w == NULL || puts == NULL || gets == NULL) exit(1);
    plan_write_meta(w, PLAN_META_ENTRY, "p0.Main");
    plan_write_meta_number(w, PLAN_META_TOTAL_SITES, (uint64_t)pairs * 9);
    for (int i = 0; i < 7; i++) plan_write_funnel(w, stages[i], (uint64_t)pairs << (2 * (6 - i)));
    for (int c = 0; c < N_CLASSES && c < pairs; c++) write_class(w, c, pairs, puts, gets);
    for (int i = 0; i < pairs; i++) {
        char frame[64];
        snprintf(frame, sizeof frame, "p%d.C%d.put(C%d.java:%d)", i % N_CLASSES % N_PACKAGES, i % N_CLASSES,
                 i % N_CLASSES, put_line(i));
        const char *locks[] = {"p0.Lock"};
        plan_frame_id root = plan_write_frame(w, (plan_frame_id){0}, "main");
        plan_frame_id leaf =
            plan_write_frame(w, plan_write_frame(w, root, "p0.Main.main(Main.java:5)"), frame);
        plan_write_pair(w, plan_write_side(w, puts[i], leaf, plan_write_held(w, locks, 1)),
                        plan_write_side(w, gets[i], (plan_frame_id){0}, (plan_held_id){0}),
                        plan_write_why(w, "the object escapes to two threads and no lock is common to both "
                                          "accesses"));
    }
    free(puts);
    free(gets);
    if (!plan_writer_commit(w, &err) || !plan_load(p, path, &err)) {
        fprintf(stderr, "%s: %s\n", err.file, err.what);
        exit(1);
    }
}

static void write_access(FILE *f, int i, int pairs, bool get) {
    int c = i % N_CLASSES, line = get ? get_line(i, pairs) : put_line(i);
    const char *method = get ? "get" : "put";
    fprintf(f,
            "{\"access\":\"%s\",\"class\":\"p%d.C%d\",\"method\":\"%s\",\"desc\":\"%s\",\"line\":%d,"
            "\"file\":\"C%d.java\",\"bci\":%d,\"thread\":{\"name\":\"%s-%d\",\"created\":"
            "[\"p0.Main.main(Main.java:%d)\"]},\"locks\":[",
            get ? "read" : "write", c % N_PACKAGES, c, method, get ? "()I" : "(I)V", line, c,
            i + (get ? GET_BCI : 0), get ? "reader <x>" : "writer", i % 4, get ? 6 : 5);
    if (!get) fprintf(f, "{\"class\":\"p0.Lock\",\"acquired\":\"p0.Main.locked(Main.java:20)\"}");
    fprintf(f,
            "],\"stack\":[\"p%d.C%d.%s(C%d.java:%d)\",\"p0.Main.lambda$main$%d(Main.java:9)\","
            "\"java.base/java.lang.Thread.run(Thread.java:840)\"]}",
            c % N_PACKAGES, c, method, c, line, get);
}

static void write_race(FILE *f, int i, int pairs) {
    fprintf(f, "{\"type\":\"race\",\"kind\":\"instance\",\"field\":\"p%d.C%d.f%d\",\"count\":%d,",
            i % N_CLASSES % N_PACKAGES, i % N_CLASSES, i, i % 5 + 1);
    fprintf(f, "\"test\":\"p0.MainTest.case%d\",\"accesses\":[", i % 3);
    write_access(f, i, pairs, false);
    fputs(",", f);
    write_access(f, i, pairs, true);
    fputs("]}\n", f);
}

static uint32_t site_of(const struct plan *p, int i, int side) {
    struct plan_pair pair = plan_pair_get(p, (plan_pair_id){(uint32_t)i + 1});
    return plan_pair_site(p, &pair, side).v;
}

static void write_run(const char *folder, int run, int pairs, const struct plan *p) {
    char name[32];
    snprintf(name, sizeof name, "run%d.jsonl", run);
    FILE *f = create(folder, name);
    fprintf(
        f,
        "{\"type\":\"header\",\"tool\":\"race\",\"version\":\"0.1.0\",\"pid\":%d,\"time\":"
        "\"2026-01-01T00:00:0%dZ\",\"mode\":\"combined\",\"plan\":\"app.plan\",\"plan_digest\":\"%016" PRIx64
        "\",\"jdk\":\"17\"}\n",
        run, run, p->digest);
    for (int i = 0; i < pairs; i += 6) write_race(f, i, pairs);
    if (run == 1) write_race(f, pairs + 1, pairs);
    fputs("{\"type\":\"ran\",\"sites\":[", f);
    for (int i = 0, n = 0; i < pairs; i++) {
        if (i % 6 < 5) fprintf(f, "%s%" PRIu32, n++ > 0 ? "," : "", site_of(p, i, 0));
        if (i % 6 < 4) fprintf(f, ",%" PRIu32, site_of(p, i, 1));
    }
    fputs("]}\n", f);
    for (int i = 0; i < pairs; i++) {
        int what = i % 6;
        if (what > 2) continue;
        fprintf(f,
                "{\"type\":\"evidence\",\"pair\":%d,\"met\":6,\"ordered\":{\"lock\":%d,"
                "\"volatile\":0,\"start_join\":%d,\"handoff\":0},\"lock\":\"p0.Lock\",\"predicted\":%d}\n",
                i + 1, what == 2 ? 4 : 0, what == 2 ? 2 : 0, what == 1 && run == 2 ? 3 : 0);
    }
    fprintf(f,
            "{\"type\":\"summary\",\"instrumented_sites\":%d,\"total_sites\":%d,\"races\":%d,"
            "\"skipped\":{\"method too large\":2}}\n",
            pairs * 2, pairs * 9, pairs / 6);
    fclose(f);
}

int main(int argc, char **argv) {
    int pairs = argc == 3 ? atoi(argv[2]) : 0;
    if (pairs <= 0 || pairs >= GET_BCI) {
        fprintf(stderr, "usage: make FOLDER PAIRS\n");
        return 64;
    }
    make_folder(argv[1], "");
    struct plan p;
    write_plan(argv[1], pairs, &p);
    write_sources(argv[1], pairs);
    for (int run = 1; run <= 2; run++) write_run(argv[1], run, pairs, &p);
    plan_release(&p);
    return 0;
}
