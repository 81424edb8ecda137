/* The helper classes of agent/java, compiled at build time and carried inside librace.so. */
#ifndef RACE_AGENT_EMBED_H
#define RACE_AGENT_EMBED_H

#include <stddef.h>
#include <stdint.h>

struct embedded_class {
    const char *name; /* internal name */
    const uint8_t *bytes, *end;
};

/* In an order in which they can be defined: a superclass before its subclasses. */
extern const struct embedded_class embedded_classes[];
extern const size_t embedded_class_count;

#endif
