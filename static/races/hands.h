/*
 * Objects that go from hand to hand through queues, each time leaving one thread for good:
 *
 *     m = free.take();  m.fill();  full.put(m);               a producer
 *     m = full.take();  m.digest();  free.put(m);             a consumer
 *
 * The invariant: an object of the kind is at each time either in the variables of one thread or in one slot
 * of one queue.  It holds because
 *   - variables get it where it is made, from a call that takes it out of a queue, or from the variables of a
 *     caller or callee; in the heap the program puts it nowhere but into queues;
 *   - a thread that puts it into a queue never uses a variable again that may still name it;
 *   - queues are those of java.util.concurrent, its Exchanger, and arrays under one lock whose element is
 *     cleared where it is taken out (slots.h).  Each hands an object over to one taker, after its giver.
 * So whatever two threads do to one such object is ordered.  The same goes for an array of numbers that the
 * object's constructor makes and keeps in a field, if it is reached through the object alone.
 */
#ifndef RACE_RACES_HANDS_H
#define RACE_RACES_HANDS_H

#include "internal.h"

bool goes_by_hand(struct races *r, pts_obj o);

#endif
