#include "race/utf8.h"

#include <stdint.h>
#include <string.h>

bool utf8_is_plain(const char *s, size_t n) {
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)s[i] >= 0x80) return false;
    return true;
}

/* Length of the sequence that starts at s (well-formed or not), its code point in *cp, -1 if malformed. */
static size_t decode(const unsigned char *s, int32_t *cp) {
    static const int32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = s[0] < 0x80             ? 1
               : (s[0] & 0xe0) == 0xc0 ? 2
               : (s[0] & 0xf0) == 0xe0 ? 3
               : (s[0] & 0xf8) == 0xf0 ? 4
                                       : 0;
    *cp = -1;
    if (n == 0) return 1;
    if (n == 1) {
        *cp = s[0];
        return 1;
    }
    int32_t value = s[0] & (0x7f >> n);
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80) return i; /* stops at the NUL as well */
        value = value << 6 | (s[i] & 0x3f);
    }
    if (value >= least[n] && value <= 0x10ffff) *cp = value;
    return n;
}

static char *encode(char *to, int32_t cp) {
    if (cp < 0x80) {
        *to++ = (char)cp;
    } else if (cp < 0x800) {
        *to++ = (char)(0xc0 | cp >> 6);
        *to++ = (char)(0x80 | (cp & 0x3f));
    } else if (cp < 0x10000) {
        *to++ = (char)(0xe0 | cp >> 12);
        *to++ = (char)(0x80 | (cp >> 6 & 0x3f));
        *to++ = (char)(0x80 | (cp & 0x3f));
    } else {
        *to++ = (char)(0xf0 | cp >> 18);
        *to++ = (char)(0x80 | (cp >> 12 & 0x3f));
        *to++ = (char)(0x80 | (cp >> 6 & 0x3f));
        *to++ = (char)(0x80 | (cp & 0x3f));
    }
    return to;
}

static bool is_high(int32_t cp) {
    return cp >= 0xd800 && cp < 0xdc00;
}

static bool is_low(int32_t cp) {
    return cp >= 0xdc00 && cp < 0xe000;
}

size_t utf8_clean(char *to, const char *s) {
    char *start = to;
    const unsigned char *from = (const unsigned char *)s;
    while (*from != '\0') {
        int32_t cp, low;
        from += decode(from, &cp);
        if (is_high(cp)) {
            size_t len = decode(from, &low);
            if (is_low(low)) {
                from += len;
                cp = 0x10000 + ((cp - 0xd800) << 10) + (low - 0xdc00);
            }
        }
        to = encode(to, cp < 0 || is_high(cp) || is_low(cp) ? 0xfffd : cp);
    }
    *to = '\0';
    return (size_t)(to - start);
}

/* Four bytes, of which the text has as many: a character beyond U+FFFF. */
static bool starts_long(const char *s, size_t n) {
    return n >= 4 && ((unsigned char)s[0] & 0xf8) == 0xf0 && s[1] != '\0' && s[2] != '\0' && s[3] != '\0';
}

size_t utf8_modified(char *to, const char *s, size_t n) {
    char *start = to;
    for (size_t i = 0; i < n;) {
        int32_t cp = -1;
        if (starts_long(s + i, n - i)) decode((const unsigned char *)s + i, &cp);
        if (cp < 0) {
            *to++ = s[i++];
            continue;
        }
        to = encode(to, 0xd800 + ((cp - 0x10000) >> 10));
        to = encode(to, 0xdc00 + ((cp - 0x10000) & 0x3ff));
        i += 4;
    }
    *to = '\0';
    return (size_t)(to - start);
}
