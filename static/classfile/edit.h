/* Private to the editor: the item list of an edited method and the passes over it. */
#ifndef RACE_CLASSFILE_EDIT_H
#define RACE_CLASSFILE_EDIT_H

#include "race/classedit.h"

enum { CFE_NONE = UINT32_MAX };

enum cfe_form {
    CFE_PLAIN,  /* bytes[0 .. n-1] are copied */
    CFE_BRANCH, /* 16- or 32-bit offset */
    CFE_SWITCH, /* of the original; re-encoded */
    CFE_BIND    /* no code: a label stands here */
};

/* One instruction, of the original or inserted.  Snippets are lists through `next`; a layout is an array. */
struct cfe_item {
    uint8_t form; /* enum cfe_form */
    uint8_t op;
    bool widened;         /* BRANCH: does not fit 16 bits */
    bool target_is_label; /* BRANCH: target is a label; else a bytecode index.  Resolved: an item index */
    uint16_t index;
    int32_t value;
    uint32_t n;
    const uint8_t *bytes;
    uint32_t target; /* BRANCH, and the label of a BIND */
    uint32_t bci;    /* in the original; CFE_NONE if inserted */
    uint32_t pos;    /* in the new code */
    struct cfe_item *next;
};

struct cfe_spot {
    struct cf_asm before, replace, after;
    bool replaced;
    bool guarded; /* ranges that start behind this instruction include its after() */
};

/* A method being written: all items in order, item n_items standing for the end of the code. */
struct cfe_layout {
    struct cfe_method *m;
    const struct cf_code *code; /* NULL for added methods */
    struct cfe_item *items;
    uint32_t n_items;
    uint32_t *boundary; /* by bytecode index of the original: item index */
    uint32_t *exact;    /* the same, but of the instruction itself, behind inserted code */
    uint32_t *early;    /* where exception ranges that start at an index start; else like boundary */
    uint32_t *label;    /* by label: item index */
    uint8_t *targeted;  /* by item index: some branch lands here */
    uint32_t length;    /* of the new code */
    uint32_t n_first;   /* handlers put before the original ones */
    struct cf_frame *frames;
    uint32_t n_frames;
    enum cfe_reason reason;
};

/* Byte buffer */
void cfe_put(struct cfe_buf *b, const void *p, size_t n);
void cfe_put1(struct cfe_buf *b, uint8_t v);
void cfe_put2(struct cfe_buf *b, uint16_t v);
void cfe_put4(struct cfe_buf *b, uint32_t v);
void cfe_set2(struct cfe_buf *b, size_t at, uint16_t v);
void cfe_set4(struct cfe_buf *b, size_t at, uint32_t v);

/* Notes the first failure of the class. */
void cfe_fail(struct cf_edit *e, enum cfe_reason reason);
/* arena_alloc that turns a failure into CFE_NO_MEMORY. */
void *cfe_alloc(struct cf_edit *e, size_t n, size_t size);
/* Makes room for one more element in an arena array; false on failure. */
bool cfe_grow(struct cf_edit *e, void **v, uint32_t n, uint32_t *cap, size_t size);

void cfe_write_pool(const struct cf_edit *e, struct cfe_buf *b);

/* Passes of one method, in order; each stops at the first reason. */
bool cfe_linearise(struct cfe_layout *l);
bool cfe_place(struct cfe_layout *l);
bool cfe_simulate(struct cfe_layout *l);
/* Appends the Code attribute, with header. */
void cfe_write_code(struct cfe_layout *l, struct cfe_buf *b);
void cfe_write_code_attrs(struct cfe_layout *l, struct cfe_buf *b);
void cfe_write_frames(struct cfe_layout *l, struct cfe_buf *b);

uint32_t cfe_pos(const struct cfe_layout *l, uint32_t item);
/* New position of an original bytecode index (its boundary). */
uint16_t cfe_moved(const struct cfe_layout *l, uint32_t bci);

#endif
