#include "json.h"

#include "race/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void json_release(struct json *j) {
    free(j->text);
    *j = (struct json){0};
}

bool json_ok(const struct json *j) {
    return !j->failed;
}

static void append(struct json *j, const char *s, size_t n) {
    if (j->failed) return;
    if (j->n + n + 1 > j->cap) {
        size_t cap = (j->n + n + 1) * 2;
        char *bigger = realloc(j->text, cap);
        if (bigger == NULL) {
            j->failed = true;
            return;
        }
        j->text = bigger;
        j->cap = cap;
    }
    memcpy(j->text + j->n, s, n);
    j->n += n;
    j->text[j->n] = '\0';
}

void json_raw(struct json *j, const char *text) {
    append(j, text, strlen(text));
}

void json_item(struct json *j) {
    if (j->n == 0) return;
    char last = j->text[j->n - 1];
    if (last != '{' && last != '[') append(j, ",", 1);
}

void json_key(struct json *j, const char *key) {
    json_item(j);
    json_string(j, key);
    append(j, ":", 1);
}

void json_raw_clean(struct json *j, const char *text) {
    size_t n = strlen(text);
    if (utf8_is_plain(text, n)) {
        append(j, text, n);
        return;
    }
    char *clean = malloc(UTF8_ROOM(n));
    if (clean != NULL)
        append(j, clean, utf8_clean(clean, text));
    else
        j->failed = true;
    free(clean);
}

static void escaped(struct json *j, const char *text) {
    for (const char *p = text; *p != '\0'; p++) {
        unsigned char c = (unsigned char)*p;
        char esc[8];
        if (c == '"' || c == '\\')
            append(j, (char[]){'\\', (char)c}, 2);
        else if (c < 0x20)
            append(j, esc, (size_t)snprintf(esc, sizeof esc, "\\u%04x", c));
        else
            append(j, p, 1);
    }
}

void json_string(struct json *j, const char *text) {
    struct json clean = {0};
    append(j, "\"", 1);
    if (utf8_is_plain(text, strlen(text))) {
        escaped(j, text);
    } else {
        json_raw_clean(&clean, text);
        if (json_ok(&clean)) escaped(j, clean.text);
        j->failed |= clean.failed;
        json_release(&clean);
    }
    append(j, "\"", 1);
}

void json_int(struct json *j, int64_t n) {
    char text[24];
    append(j, text, (size_t)snprintf(text, sizeof text, "%" PRId64, n));
}

void json_pair_string(struct json *j, const char *key, const char *text) {
    json_key(j, key);
    if (text == NULL)
        json_raw(j, "null");
    else
        json_string(j, text);
}

void json_pair_int(struct json *j, const char *key, int64_t n) {
    json_key(j, key);
    json_int(j, n);
}
