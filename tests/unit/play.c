/* See play.h. */
#include "play.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static void on_race(void *arg, const struct ck_race *race) {
    struct play *p = arg;
    assert_true(p->race_count < RACES_MAX);
    p->races[p->race_count++] = *race;
}

void play_begin(struct play *p, struct ck_config config) {
    memset(p, 0, sizeof *p);
    config.on_race = on_race;
    config.arg = p;
    p->ck = ck_new(&config);
    assert_non_null(p->ck);
    struct ck_thread_info info = {.name = "main"};
    p->threads[1] = ck_thread_start(p->ck, NULL, &info);
}

void play_end(struct play *p) {
    for (int i = 0; i < 10; i++)
        if (p->threads[i]) ck_thread_end(p->threads[i]);
    ck_free(p->ck);
}

static void fork_thread(struct play *p, struct ck_thread *parent, int child) {
    char name[] = "worker-0";
    name[7] = (char)('0' + child);
    struct ck_thread_info info = {.name = name};
    p->threads[child] = ck_thread_start(p->ck, parent, &info);
    assert_non_null(p->threads[child]);
}

/* Thread operations and synchronisation; false if `op` is none of them. */
static bool play_sync(struct play *p, struct ck_thread *t, const char *op, char name, uint32_t site) {
    uint64_t *sync = &p->syncs[(int)name];
    int other = name - '0';
    if (!strcmp(op, "fork")) {
        fork_thread(p, t, other);
    } else if (!strcmp(op, "end")) {
        p->finals[other] = ck_thread_end(p->threads[other]);
        p->threads[other] = NULL;
    } else if (!strcmp(op, "done")) {
        p->finals[other] = ck_thread_end(p->threads[other]);
        p->threads[other] = NULL;
        ck_thread_awaited(p->ck, p->finals[other]);
    } else if (!strcmp(op, "halt")) {
        ck_acquire_awaited(t);
    } else if (!strcmp(op, "join")) {
        ck_acquire(t, p->finals[other], CK_BY_JOIN);
    } else if (!strcmp(op, "lock")) {
        ck_acquire(t, *sync, CK_BY_LOCK);
        ck_lock_taken(t, (uint64_t)name, false, site);
    } else if (!strcmp(op, "unlock")) {
        ck_lock_given(t, (uint64_t)name);
        *sync = ck_release(t, *sync, CK_RELEASE_OVER, site);
    } else if (!strcmp(op, "vr") || !strcmp(op, "hr")) {
        ck_acquire(t, *sync, *op == 'h' ? CK_BY_HANDOFF : CK_BY_VOLATILE);
    } else if (!strcmp(op, "vw") || !strcmp(op, "hw")) {
        *sync = ck_release(t, *sync, CK_RELEASE_BLIND, site);
    } else if (!strcmp(op, "rmw")) {
        ck_acquire(t, *sync, CK_BY_VOLATILE);
        *sync = ck_release(t, *sync, CK_RELEASE_OVER, site);
    } else {
        return false;
    }
    return true;
}

static void play_one(struct play *p, const char *statement, uint32_t site) {
    int thread, used = 0;
    char op[8], name, mark = ' ';
    if (sscanf(statement, " %d %7s %c%n %c", &thread, op, &name, &used, &mark) < 3)
        fail_msg("bad statement: %s", statement);
    struct ck_thread *t = p->threads[thread];
    assert_non_null(t);
    bool race = false;
    if (!play_sync(p, t, op, name, site)) {
        assert_true(!strcmp(op, "r") || !strcmp(op, "w"));
        struct ck_var *v = &p->vars[(int)name];
        race = *op == 'w' ? ck_var_write(t, v, site, NULL) : ck_var_read(t, v, site, NULL);
    }
    if (race != (mark == '!')) fail_msg("statement %u, \"%s\": race %d", site, statement, race);
}

void play(struct play *p, const char *script) {
    char copy[1024], *rest = copy, *statement;
    assert_true(strlen(script) < sizeof copy);
    strcpy(copy, script);
    for (uint32_t site = 1; (statement = strsep(&rest, ";")) != NULL; site++) play_one(p, statement, site);
}
