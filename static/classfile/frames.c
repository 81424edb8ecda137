/*
 * StackMapTable (JVMS 4.7.4), expanded.
 *
 * The file gives each frame as a difference to the one before.  Here every frame gets the full list of its
 * locals; lists are immutable, so a frame that keeps (or shortens) its predecessor's locals shares the array.
 * Only `append` copies, which an attacker could use to make a small file expand without bound; hence the
 * reader's frame_budget.
 *
 * The first frame is implied by the method's descriptor, whose types need not stand in the constant pool:
 * such a local is CF_V_OBJECT with arg 0.  It can only stand at its parameter's position, because nothing but
 * inheritance from the first frame yields it.
 */
#include "parse.h"
#include "race/opcodes.h"

#include <string.h>

enum {
    SAME_LAST = 63,
    SAME_LOCALS_1_LAST = 127,
    SAME_LOCALS_1_EXTENDED = 247,
    CHOP_FIRST = 248,
    SAME_EXTENDED = 251,
    APPEND_LAST = 254,
    MAX_PARAMETERS = 256 /* receiver and 255 argument words */
};

struct frames_reader {
    struct cf_code_reader *cr;
    struct cursor c;
    int64_t bci;           /* of the frame before, -1 at first */
    struct cf_frame frame; /* the frame before, then the one being read */
};

static bool fail(struct frames_reader *f, size_t at, const char *what) {
    return race_fail_at(f->cr->r->err, at, "StackMapTable: %s", what);
}

/* Of a parameter's type; the JVM has no values smaller than int. */
static struct cf_vtype vtype_of(struct cf_str type) {
    switch (type.p[0]) {
    case 'B':
    case 'C':
    case 'I':
    case 'S':
    case 'Z': return (struct cf_vtype){.tag = CF_V_INTEGER};
    case 'F': return (struct cf_vtype){.tag = CF_V_FLOAT};
    case 'J': return (struct cf_vtype){.tag = CF_V_LONG};
    case 'D': return (struct cf_vtype){.tag = CF_V_DOUBLE};
    default: return (struct cf_vtype){.tag = CF_V_OBJECT, .arg = 0};
    }
}

/* Object's own constructor has nothing to call, so its `this` is initialised from the start. */
uint16_t cf_initial_locals(const struct cf_class *cls, const struct cf_method *m, struct cf_vtype *out) {
    uint16_t n = 0;
    if ((m->access & CF_ACC_STATIC) == 0) {
        bool uninit = cf_str_is(cf_utf8(cls, m->name), "<init>") && cls->super_class != 0;
        out[n++] = uninit ? (struct cf_vtype){.tag = CF_V_UNINIT_THIS}
                          : (struct cf_vtype){.tag = CF_V_OBJECT, .arg = cls->this_class};
    }
    struct cf_str rest = cf_utf8(cls, m->desc), type;
    rest.p++;
    rest.n--;
    while ((type = cf_desc_next(&rest)).n != 0) out[n++] = vtype_of(type);
    return n;
}

/* Entries count once in the file, but long and double fill two words of the frame. */
static uint32_t words(const struct cf_vtype *v, uint32_t n) {
    uint32_t sum = n;
    for (uint32_t i = 0; i < n; i++) sum += v[i].tag == CF_V_LONG || v[i].tag == CF_V_DOUBLE;
    return sum;
}

/* The values of the tags are those of the file. */
static bool read_vtype(struct frames_reader *f, struct cf_vtype *v) {
    size_t at = f->c.pos;
    v->tag = cursor_u1(&f->c);
    if (v->tag > CF_V_UNINIT) return fail(f, at, "bad type tag");
    if (v->tag < CF_V_OBJECT) return true;
    v->arg = cursor_u2(&f->c);
    if (f->c.failed) return true;
    if (v->tag == CF_V_OBJECT) return cf_want(f->cr->r, at + 1, v->arg, CF_CLASS, "StackMapTable");
    if (cf_is_start(f->cr, v->arg) && f->cr->code->code[v->arg] == CF_OP_NEW) return true;
    return fail(f, at + 1, "Uninitialized type does not name a new instruction");
}

/* Every array of types goes through the budget, whether it was copied or read. */
static struct cf_vtype *new_types(struct frames_reader *f, uint32_t n) {
    struct cf_reader *r = f->cr->r;
    if (n > r->frame_budget) {
        fail(f, f->c.pos, "expands to too many entries");
        return NULL;
    }
    r->frame_budget -= n;
    return CF_NEW_ARRAY(r, n, struct cf_vtype);
}

/* Reads n types behind the `keep` first locals of the frame before. */
static bool read_locals(struct frames_reader *f, uint32_t keep, uint32_t n) {
    if (!cursor_fits(&f->c, n, 1)) return fail(f, f->c.pos, "frame is cut off");
    struct cf_vtype *locals = new_types(f, keep + n);
    if (locals == NULL) return false;
    if (keep != 0) memcpy(locals, f->frame.locals, keep * sizeof *locals);
    for (uint32_t i = 0; i < n; i++)
        if (!read_vtype(f, &locals[keep + i])) return false;
    size_t have = words(locals, keep + n);
    if (have > f->cr->code->max_locals) return fail(f, f->c.pos, "more locals than max_locals");
    f->frame.locals = locals;
    f->frame.n_locals = (uint16_t)(keep + n);
    return true;
}

/* The stack is never inherited. */
static bool read_stack(struct frames_reader *f, uint32_t n) {
    if (!cursor_fits(&f->c, n, 1)) return fail(f, f->c.pos, "frame is cut off");
    struct cf_vtype *stack = new_types(f, n);
    if (stack == NULL) return false;
    for (uint32_t i = 0; i < n; i++)
        if (!read_vtype(f, &stack[i])) return false;
    if (words(stack, n) > f->cr->code->max_stack) return fail(f, f->c.pos, "more operands than max_stack");
    f->frame.stack = stack;
    f->frame.n_stack = (uint16_t)n;
    return true;
}

/* Advances to the frame's position, which must be the start of an instruction behind the frame before. */
static bool move_on(struct frames_reader *f, size_t at, uint32_t delta) {
    f->bci += (int64_t)delta + 1;
    if (f->c.failed) return fail(f, at, "frame is cut off");
    if (f->bci >= f->cr->code->length) return fail(f, at, "frame lies outside the code");
    if (!cf_is_start(f->cr, (uint32_t)f->bci)) return fail(f, at, "frame lies inside an instruction");
    f->frame.bci = (uint16_t)f->bci;
    f->frame.stack = NULL;
    f->frame.n_stack = 0;
    return true;
}

/* f->frame still describes the frame before when this begins; each form says what changes. */
static bool read_frame(struct frames_reader *f) {
    struct cursor *c = &f->c;
    size_t at = c->pos;
    uint8_t type = cursor_u1(c);
    if (type <= SAME_LAST) return move_on(f, at, type);
    if (type <= SAME_LOCALS_1_LAST) return move_on(f, at, type - (SAME_LAST + 1u)) && read_stack(f, 1);
    if (type < SAME_LOCALS_1_EXTENDED) return fail(f, at, "bad frame type");
    if (!move_on(f, at, cursor_u2(c))) return false;
    if (type == SAME_LOCALS_1_EXTENDED) return read_stack(f, 1);
    if (type < SAME_EXTENDED) {
        uint16_t chop = (uint16_t)(SAME_EXTENDED - type);
        if (chop > f->frame.n_locals) return fail(f, at, "chop of more locals than there are");
        f->frame.n_locals -= chop;
        return true;
    }
    if (type == SAME_EXTENDED) return true;
    if (type <= APPEND_LAST) return read_locals(f, f->frame.n_locals, type - SAME_EXTENDED);
    if (!read_locals(f, 0, cursor_u2(c))) return false;
    return read_stack(f, cursor_u2(c));
}

/* One entry per frame at least one byte long, so the array cannot be larger than the file. */
static bool read_table(struct frames_reader *f, const struct cf_attr *a) {
    struct cf_code *code = f->cr->code;
    uint16_t n = cursor_u2(&f->c);
    if (f->c.failed || !cursor_fits(&f->c, n, 1)) return fail(f, a->offset, "attribute is cut off");
    if ((code->frames = CF_NEW_ARRAY(f->cr->r, n, struct cf_frame)) == NULL) return false;
    for (code->n_frames = 0; code->n_frames < n; code->n_frames++) {
        if (!read_frame(f)) return false;
        if (f->c.failed) return fail(f, a->offset, "attribute is cut off");
        code->frames[code->n_frames] = f->frame;
    }
    if (cursor_left(&f->c) != 0) return fail(f, a->offset, "wrong attribute length");
    return true;
}

static bool read_frames(struct cf_code_reader *cr, const struct cf_attr *a) {
    struct cf_vtype initial[MAX_PARAMETERS];
    uint16_t n = cf_initial_locals(cr->r->cls, cr->method, initial);
    struct cf_vtype *locals = arena_copy(&cr->r->cls->arena, initial, n * sizeof *locals);
    if (locals == NULL) return race_fail(cr->r->err, "out of memory");
    struct frames_reader f = {.cr = cr, .c = cf_attr_cursor(cr->r->cls, a), .bci = -1};
    f.frame.locals = locals;
    f.frame.n_locals = n;
    cr->code->has_frames = true;
    return read_table(&f, a);
}

/*
 * In version 50 the table is a hint: HotSpot falls back to the old verifier when it is wrong, and then loads
 * the class.  Such a table is demoted.  From 51 on it must be right.
 */
bool cf_read_frames(struct cf_code_reader *cr, struct cf_attr *a) {
    if (cr->r->cls->major > 50) return read_frames(cr, a);
    struct race_error ignored = {0}, *err = cr->r->err;
    cr->r->err = &ignored;
    bool ok = read_frames(cr, a);
    cr->r->err = err;
    if (ok) return true;
    a->kind = CF_ATTR_OTHER;
    cr->code->has_frames = false;
    cr->code->n_frames = 0;
    return true;
}
