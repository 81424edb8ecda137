/* A growing line of JSON.  Out of memory makes it empty for good, and json_ok() false. */
#ifndef RACE_AGENT_JSON_H
#define RACE_AGENT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json {
    char *text;
    size_t n, cap;
    bool failed;
};

void json_release(struct json *j);
bool json_ok(const struct json *j);

/* Punctuation and keys as they are; commas are the writer's business: json_item() puts one where needed. */
void json_raw(struct json *j, const char *text);
/* The same with text from Java, made clean UTF-8. */
void json_raw_clean(struct json *j, const char *text);
void json_item(struct json *j); /* a comma, unless the last character opens an object or array */
void json_key(struct json *j, const char *key);
void json_string(struct json *j, const char *text); /* in any spelling; see race/utf8.h */
void json_int(struct json *j, int64_t n);
void json_pair_string(struct json *j, const char *key, const char *text); /* null for NULL */
void json_pair_int(struct json *j, const char *key, int64_t n);

#endif
