/*
 * The plan at run time: which classes it knows, what is checked in them, and the evidence for its pairs.
 *
 * A class is known if the plan has its name and the digest of its bytes.  In a known class the mode decides
 * what is checked; every other class is checked in full, and one whose digest differs is told as stale.
 */
#ifndef RACE_AGENT_PLANUSE_H
#define RACE_AGENT_PLANUSE_H

#include "options.h"
#include "race/classfile.h"
#include "race/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct checker;
struct json;
struct plan_class;

/* Loads the plan of the options, if they name one. */
bool planuse_open(const struct agent_options *options, struct race_error *err);
bool planuse_active(void);
uint64_t planuse_digest(void);
/* Release of the JDK that the plan was made with; 0 if there is no plan. */
int planuse_jdk(void);

/* The plan's entry for a class being loaded, or NULL if it is not known; `stale` says that its bytes differ.
 */
const struct plan_class *planuse_class(const char *name, const uint8_t *bytes, size_t size, bool *stale);

/* A class of that name is loaded that is not the plan's: changed since, or not analysed at all. */
void planuse_stranger(const char *name);
/* Whether the plan has this class, and no other of its name was loaded.  Any thread. */
bool planuse_knows(const char *name);

/* Whether any method of the plan requires a lock. */
bool planuse_requires_locks(void);
/* The i-th lock that the method requires of its callers, NULL behind the last; `number` is 1 + its index. */
const char *planuse_required(const struct plan_class *c, struct cf_str method, struct cf_str desc, uint32_t i,
                             uint32_t *number);
/* The number of a method of which the analysis saw no call; 0 for any other. */
uint32_t planuse_unreached(const struct plan_class *c, struct cf_str method, struct cf_str desc);
/* The method of such a number. */
void planuse_method(uint32_t number, const char **class_name, const char **method);
/* What the requirement of an index is about. */
void planuse_requirement(uint32_t index, const char **class_name, const char **method, const char **lock);

/* Whether field `name` that class `c` declares gets shadow words. */
bool planuse_wants_words(const struct plan_class *c, struct cf_str name);

/* Whether the access at bci is checked.  `owner` and `name` are those of the field reference. */
bool planuse_wants_site(const struct plan_class *c, struct cf_str method, struct cf_str desc, uint32_t bci);

/* The rewriter gave an access of a known class a number. */
void planuse_site_added(struct checker *ck, const struct plan_class *c, struct cf_str method,
                        struct cf_str desc, uint32_t bci, uint32_t site);

/* Whether the plan has a pair of the accesses with these numbers, each the first that its access was given.
 */
bool planuse_is_pair(uint32_t site_a, uint32_t site_b);

/* Calls `emit` with the object of the sites that ran and one for each pair that met; each lacks its newline.
 */
void planuse_evidence(struct checker *ck, const char *(*lock_name)(uint64_t key),
                      void (*emit)(struct json *line));

#endif
