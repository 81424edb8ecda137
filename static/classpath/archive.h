/*
 * Zip archives, read by many threads.
 *
 * A libzip handle must not be shared by two threads, so an archive keeps a pool of handles: a reader takes an
 * idle one or opens another, and gives it back.  There are never more handles than threads that read at once.
 *
 * Archives are input that nobody has checked: sizes declared in them are compared with a limit before
 * anything is allocated, and what is read is compared with what was declared.
 */
#ifndef RACE_CLASSPATH_ARCHIVE_H
#define RACE_CLASSPATH_ARCHIVE_H

#include "race/error.h"

#include <stdbool.h>
#include <stddef.h> /* size_t */
#include <stdint.h>

struct archive;

/* `label` is the name used in messages and origins; it is copied. */
struct archive *archive_open_file(const char *path, const char *label, struct race_error *err);
/* Takes over `data` (malloc'ed), also on failure. */
struct archive *archive_open_memory(uint8_t *data, size_t size, const char *label, struct race_error *err);
void archive_free(struct archive *a);

const char *archive_label(const struct archive *a);

/* Names of all entries; they live as long as the archive.  An entry without a usable name reads as "". */
size_t archive_count(const struct archive *a);
const char *archive_name(const struct archive *a, size_t index);
/* The name's last entry, as the JVM does it, or -1. */
int64_t archive_locate(const struct archive *a, const char *name);

/* Reads one entry into a malloc'ed buffer; fails if it is larger than `limit` ("kind" says what it should
 * be). */
bool archive_read(struct archive *a, size_t index, size_t limit, const char *kind, uint8_t **data,
                  size_t *size, struct race_error *err);

/* "label!/entry", malloc'ed. */
char *archive_origin(const struct archive *a, size_t index);

#endif
