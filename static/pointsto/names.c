#include "names.h"

#include "race/vec.h" /* vec_grow_: ends the process when memory runs out */

#include <stdlib.h>
#include <string.h>

enum { RECENT = 1 << 12 };

uint32_t pts_set_name(struct pts_set_names *names, const struct pts_set *set) {
    if (names->recent == NULL) {
        size_t cap = 0;
        void *v = NULL;
        vec_grow_(&v, &cap, RECENT, sizeof *names->recent);
        memset(v, 0, RECENT * sizeof *names->recent);
        names->recent = v;
    }
    struct pts_named_set *at = &names->recent[pts_set_hash(set) & (RECENT - 1)];
    if (at->name == 0 || !pts_set_equal(&at->set, set)) {
        pts_set_release(&at->set);
        pts_set_copy(&at->set, set);
        at->name = ++names->last;
    }
    return at->name;
}

void pts_set_names_release(struct pts_set_names *names) {
    for (size_t i = 0; names->recent != NULL && i < RECENT; i++) pts_set_release(&names->recent[i].set);
    free(names->recent);
    memset(names, 0, sizeof *names);
}
