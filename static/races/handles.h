/*
 * VarHandles and field updaters that stand for one field: kept in a static final field of their own, made
 * there from a class and a name that are constants, and used for nothing but calls on them.  The name of such
 * a field occurs nowhere else as a string, so all of its accesses are known.
 */
#ifndef RACE_RACES_HANDLES_H
#define RACE_RACES_HANDLES_H

#include "internal.h"

enum handle_kind { HANDLE_VAR, HANDLE_UPDATER };

struct handle_call {
    uint8_t kind;
    field_id field;
    ir_var holder;  /* none: a static field */
    uint32_t first; /* argument: the first behind the handle and the holder */
};

void handles_init(struct races *r);
void handles_release(struct races *r);
/* Whether the statement is a call on such a handle. */
bool handle_call(struct races *r, const struct ir_body *body, const struct ir_stmt *s,
                 struct handle_call *out);
/* Whether the field's name is known to be used for such handles only. */
bool is_handled(const struct races *r, field_id f);

#endif
