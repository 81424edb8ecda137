/*
 * Why the analysis knows nothing of a value: whether it comes out of listed code.
 *
 * A value that a listed call returned is explained, and one that code wrote which the analysis does not
 * reach.  A value of which the analysis knows no object at all is followed back: through the calls that the
 * run made into the method (parameters), the methods that a call entered (results), casts and receivers.  A
 * value that comes from anywhere else, such as a model that forgets a result, is not explained.
 */
#ifndef RACE_TESTS_RECORDER_EXPLAIN_H
#define RACE_TESTS_RECORDER_EXPLAIN_H

#include "verdict.h"

/* The receiver of the call at this place; the value or the object of the store at this place. */
bool explained_receiver(struct verdicts *v, method_id m, uint32_t bci);
bool explained_store(struct verdicts *v, method_id m, uint32_t bci);
void explain_release(struct verdicts *v);

#endif
