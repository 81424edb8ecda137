/*
 * Text that comes from Java: class files and JNI spell it in modified UTF-8, where a character beyond U+FFFF
 * is two surrogates of three bytes each.  Everything that leaves the product (JSON, XML, file names) is real
 * UTF-8.
 */
#ifndef RACE_UTF8_H
#define RACE_UTF8_H

#include <stdbool.h>
#include <stddef.h> /* size_t */

/* Room for a text of n bytes after either conversion, with the NUL: a malformed byte grows to three. */
#define UTF8_ROOM(n) ((n)*3 + 1)

/* Whether there is anything to convert: plain ASCII is the same in both. */
bool utf8_is_plain(const char *s, size_t n);

/*
 * Writes the text as clean UTF-8 and returns its length: pairs of surrogates are joined, and what is still
 * not UTF-8 becomes U+FFFD, since JSON and XML take nothing else.
 */
size_t utf8_clean(char *to, const char *s);

/* The other way round, for names that are looked for in class files; other bytes stay as they are. */
size_t utf8_modified(char *to, const char *s, size_t n);

#endif
