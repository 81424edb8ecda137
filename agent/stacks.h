/*
 * Java stacks as numbers: a frame is its jmethodID and bytecode index in 64 bits, so that the checker can
 * intern stacks without knowing JVMTI.  Formatted like the frames of a Java stack trace, so that IDEs link
 * them.
 */
#ifndef RACE_AGENT_STACKS_H
#define RACE_AGENT_STACKS_H

#include <stddef.h>
#include <stdint.h>

enum { STACK_DEPTH = 64 };

/* The calling thread's Java stack, innermost first, without the checker's own frames; returns the depth. */
size_t stacks_capture(uint64_t frames[STACK_DEPTH]);
/* The same for an access at a site, of which the checker may be told a few lines later. */
size_t stacks_capture_at(uint64_t frames[STACK_DEPTH], uint32_t site);

/* "pkg.Outer$Inner.method(File.java:12)"; returns its length. */
size_t stacks_format(uint64_t frame, char *buf, size_t size);

#endif
