/*
 * Calm code: what can neither release nor acquire, so that the epoch stays as it is and whoever is ordered
 * with the thread before it is so behind it, and the other way round.
 *
 * Not calm are monitors, volatile accesses, waiting, and whatever may load or initialise a class, for that
 * runs code that is not in sight.  A call is calm if the method that it will run is known and all in it is
 * calm: a static, private or final method, a constructor, or any method of a final class.  The JDK is not
 * looked into; a list names what is calm there.
 */
#ifndef RACE_AGENT_REWRITE_CALM_H
#define RACE_AGENT_REWRITE_CALM_H

#include "rewrite.h"

/* Where an instruction by itself does not tell, the field or method that it names does. */
enum calm { CALM_YES, CALM_NO, CALM_ASK_FIELD, CALM_ASK_METHOD };

/* The instruction `in` of a method of `cls`. */
enum calm calm_alone(const struct cf_class *cls, const struct cf_insn *in);

bool calm_field(const struct rewrite_policy *policy, const struct cf_member_ref *ref);
/* A call by `op` of what `ref` names. */
bool calm_call(const struct rewrite_policy *policy, uint8_t op, const struct cf_member_ref *ref);
/* All of the above. */
bool calm_insn(const struct rewrite_policy *policy, const struct cf_class *cls, const struct cf_insn *in);

/* Calls of the JDK that are calm. */
bool calm_in_jdk(const struct cf_member_ref *ref);

#endif
