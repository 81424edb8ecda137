/*
 * Damages a plan as a wrong proof would: it stays a good file, but a race is lost from it.
 *
 *   damage FILE.plan field CLASS.NAME    the field is safe, so its accesses need no check (binary name of the
 * class) damage FILE.plan site NUMBER         this access is proved
 */
#include "race/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct damage {
    const struct plan *p;
    struct plan_writer *w;
    const char *cls, *field; /* NULL, or what is safe */
    uint32_t site;           /* 0, or what is proved */
    uint32_t *sites, *sides; /* by the old number, the new one; 0: gone */
    uint32_t n_gone;
};

static bool is_field(const struct damage *d, const char *cls, const char *name) {
    return d->field != NULL && strcmp(cls, d->cls) == 0 && strcmp(name, d->field) == 0;
}

static bool stays(struct damage *d, uint32_t site) {
    const struct plan_site *s = plan_site_get(d->p, (plan_site_id){site});
    bool gone = site == d->site || is_field(d, s->owner, s->name);
    d->n_gone += gone;
    return !gone;
}

static void copy_method(struct damage *d, const struct plan_method *m) {
    uint32_t left = 0, first = m->sites.first + 1, end = first + m->sites.n;
    for (uint32_t s = first; s < end; s++) left += d->sites[s] = stays(d, s);
    bool typed = m->typed || (d->field != NULL && left == 0 && !m->unreached);
    plan_write_method(d->w, m->name, m->desc,
                      m->unreached ? PLAN_UNREACHED
                      : typed      ? PLAN_TYPED
                                   : PLAN_UNTYPED);
    for (uint32_t i = 0; i < m->requires.n; i++)
        plan_write_requires(d->w, d->p->requires[m->requires.first + i]);
    for (uint32_t s = first; s < end; s++) {
        const struct plan_site *old = plan_site_get(d->p, (plan_site_id){s});
        if (d->sites[s] == 0) continue;
        d->sites[s] = plan_write_site(d->w, (uint32_t)old->bci, old->line, old->is_write,
                                      (enum plan_kind)old->kind, old->owner, old->name)
                          .v;
    }
}

static void copy_class(struct damage *d, const struct plan_class *c) {
    const struct plan *p = d->p;
    plan_write_class(d->w, c->name, c->digest, c->file, c->unsafe);
    for (uint32_t i = 0; i < c->fields.n; i++) {
        const struct plan_field *f = &p->fields[c->fields.first + i];
        if (!is_field(d, c->name, f->name)) plan_write_field(d->w, f->name, f->desc);
    }
    for (uint32_t i = 0; i < c->lents.n; i++) {
        const struct plan_field *f = &p->lents[c->lents.first + i];
        plan_write_lent(d->w, f->name, f->desc);
    }
    for (uint32_t i = 0; i < c->methods.n; i++) copy_method(d, &p->methods[c->methods.first + i]);
}

/* Details stand once in any plan, so they keep their numbers; only those of sites and sides change. */
static void copy_pairs(struct damage *d) {
    const struct plan *p = d->p;
    for (uint32_t i = 0; i < p->n_frames; i++) plan_write_frame(d->w, p->frames[i].caller, p->frames[i].text);
    for (uint32_t i = 0; i < p->n_helds; i++)
        plan_write_held(d->w, p->locks + p->helds[i].first, p->helds[i].n);
    for (uint32_t i = 0; i < p->n_whys; i++) plan_write_why(d->w, p->whys[i]);
    for (uint32_t i = 1; i <= p->n_sides; i++) {
        const struct plan_side *s = &p->sides[i - 1];
        uint32_t site = d->sites[s->site.v];
        if (site != 0) d->sides[i] = plan_write_side(d->w, (plan_site_id){site}, s->frame, s->held).v;
    }
    for (uint32_t i = 1; i <= p->n_pairs; i++) {
        struct plan_pair pair = plan_pair_get(p, (plan_pair_id){i});
        uint32_t a = d->sides[pair.side[0].v], b = d->sides[pair.side[1].v];
        if (a != 0 && b != 0) plan_write_pair(d->w, (plan_side_id){a}, (plan_side_id){b}, pair.why);
    }
}

static bool copy(struct damage *d, const char *path, struct race_error *err) {
    const struct plan *p = d->p;
    d->w = plan_writer_new(path, err);
    d->sites = calloc((size_t)p->n_sites + 1, sizeof *d->sites);
    d->sides = calloc((size_t)p->n_sides + 1, sizeof *d->sides);
    if (d->w == NULL || d->sites == NULL || d->sides == NULL) return false;
    for (uint32_t i = 0; i < p->n_meta; i++) plan_write_meta(d->w, p->meta[i].key, p->meta[i].value);
    for (uint32_t i = 0; i < p->n_funnel; i++)
        plan_write_funnel(d->w, p->funnel[i].key, strtoull(p->funnel[i].value, NULL, 10));
    for (uint32_t i = 0; i < p->n_classes; i++) copy_class(d, &p->classes[i]);
    copy_pairs(d);
    return plan_writer_commit(d->w, err);
}

int main(int argc, char **argv) {
    struct race_error err = {0};
    struct plan p;
    if (argc != 4) return 64;
    if (!plan_load(&p, argv[1], &err)) {
        fprintf(stderr, "damage: %s\n", err.what);
        return 1;
    }
    struct damage d = {.p = &p};
    if (strcmp(argv[2], "site") == 0) {
        d.site = (uint32_t)strtoul(argv[3], NULL, 10);
    } else {
        char *dot = strrchr(argv[3], '.');
        if (dot == NULL) return 64;
        *dot = '\0';
        for (char *c = argv[3]; *c != '\0'; c++) *c = *c == '.' ? '/' : *c;
        d.cls = argv[3];
        d.field = dot + 1;
    }
    bool ok = copy(&d, argv[1], &err);
    if (!ok) fprintf(stderr, "damage: %s\n", err.what);
    if (d.n_gone == 0) fprintf(stderr, "damage: nothing in the plan is so\n");
    free(d.sites);
    free(d.sides);
    plan_release(&p);
    return ok && d.n_gone > 0 ? 0 : 1;
}
