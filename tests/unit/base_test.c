/* Errors, arenas, growable arrays and the cursor: the small things that everything else trusts. */
#include "race/arena.h"
#include "race/cursor.h"
#include "race/error.h"
#include "race/utf8.h"
#include "race/vec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void first_error_wins(void **state) {
    (void)state;
    struct race_error err = {0};
    assert_false(race_fail_at(&err, 7, "bad %s", "tag"));
    assert_false(race_fail(&err, "later"));
    race_error_set_file(&err, "X.class");
    race_error_set_file(&err, "Y.class");
    char line[128];
    size_t n = race_error_format(&err, line, sizeof line);
    assert_string_equal(line, "race: X.class: offset 7: bad tag");
    assert_int_equal(n, strlen(line));
    assert_int_equal(err.exit_code, RACE_EXIT_INPUT);
}

static void long_file_names_keep_their_end(void **state) {
    (void)state;
    char name[400];
    memset(name, 'a', sizeof name);
    strcpy(name + sizeof name - 9, "/X.class");
    struct race_error err = {0};
    race_error_set_file(&err, name);
    assert_string_equal(err.file + strlen(err.file) - 8, "/X.class");
}

static void arena_gives_zeroed_memory_also_after_clear(void **state) {
    (void)state;
    struct arena a;
    arena_init(&a);
    for (int round = 0; round < 3; round++) {
        for (size_t size = 1; size < 20000; size = size * 2 + 1) {
            char *p = arena_alloc(&a, size);
            for (size_t i = 0; i < size; i++) assert_int_equal(p[i], 0);
            memset(p, 0xff, size);
            assert_int_equal((uintptr_t)p % 8, 0);
        }
        arena_clear(&a);
    }
    assert_string_equal(arena_printf(&a, "%s-%d", "x", 42), "x-42");
    arena_release(&a);
}

static void arena_that_may_fail_says_so(void **state) {
    (void)state;
    struct arena a;
    arena_init(&a);
    a.may_fail = true;
    assert_null(arena_alloc_n(&a, SIZE_MAX / 4, 8));
    assert_true(a.failed);
    arena_release(&a);
}

static void vec_grows(void **state) {
    (void)state;
    VEC(int) v = {0};
    for (int i = 0; i < 1000; i++) vec_push(&v, i);
    for (int i = 0; i < 1000; i++) assert_int_equal(v.v[i], i);
    assert_int_equal(vec_pop(&v), 999);
    assert_int_equal(vec_last(&v), 998);
    vec_release(&v);
    assert_int_equal(v.n, 0);
}

static void cursor_never_passes_the_end(void **state) {
    (void)state;
    const uint8_t bytes[] = {0x12, 0x34, 0x56, 0x78, 0x9a};
    struct cursor c = cursor_make(bytes, sizeof bytes);
    assert_int_equal(cursor_u2(&c), 0x1234);
    struct cursor sub = cursor_sub(&c, 2);
    assert_int_equal(cursor_u1(&sub), 0x56);
    assert_int_equal(sub.pos, 3);
    assert_int_equal(cursor_u2(&sub), 0);
    assert_true(sub.failed);
    assert_false(c.failed);
    assert_false(cursor_fits(&c, 2, 1));
    assert_int_equal(cursor_u4(&c), 0);
    assert_true(c.failed);
    assert_int_equal(cursor_left(&c), 0);
    assert_null(cursor_bytes(&c, 1));
}

static void utf8_both_ways(void **state) {
    (void)state;
    static const struct {
        const char *java, *clean;
    } same[] = {{"", ""},
                {"plain/Name$1", "plain/Name$1"},
                {"\xc3\xbc\xe2\x82\xac", "\xc3\xbc\xe2\x82\xac"},
                {"x\xed\xa0\xbd\xed\xb8\x80y", "x\xf0\x9f\x98\x80y"}};
    /* A lone surrogate, a sequence that is cut off, a NUL in two bytes, a byte that starts nothing. */
    static const char *const bad[] = {"a\xed\xa0\xbd", "a\xe2\x82", "a\xc0\x80", "a\xff"};
    char text[100];
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        assert_int_equal(utf8_clean(text, same[i].java), strlen(same[i].clean));
        assert_string_equal(text, same[i].clean);
        assert_int_equal(utf8_modified(text, same[i].clean, strlen(same[i].clean)), strlen(same[i].java));
        assert_string_equal(text, same[i].java);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        utf8_clean(text, bad[i]);
        assert_string_equal(text, "a\xef\xbf\xbd");
    }
    /* Bytes that are no UTF-8 stay, and nothing behind the end is looked at. */
    assert_int_equal(utf8_modified(text, "a\xf0\x9f\x98", 4), 4);
    assert_string_equal(text, "a\xf0\x9f\x98");
    assert_true(utf8_is_plain("abc", 3));
    assert_false(utf8_is_plain("ab\xc3\xbc", 4));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_error_wins),
        cmocka_unit_test(long_file_names_keep_their_end),
        cmocka_unit_test(arena_gives_zeroed_memory_also_after_clear),
        cmocka_unit_test(arena_that_may_fail_says_so),
        cmocka_unit_test(vec_grows),
        cmocka_unit_test(cursor_never_passes_the_end),
        cmocka_unit_test(utf8_both_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
