/*
 * Writes two classes to DIRECTORY:
 *
 *   Edge.class    methods whose jump spans just so many bytes that instrumenting them must widen it, and
 * whose instrumented size is exactly the limit of 65,535 bytes or just past it; Broken.class  a method that
 * the JVM's verifier must refuse: proof that a clean run means something.
 */
#include "class_builder.h"

#include <errno.h>

/*
 *   static int fK(int n) { iload_0; ifeq L; K times nop; iconst_1; ireturn; L: iconst_2; ireturn; }
 *
 * has K + 8 bytes and K + 6 instructions.  ifeq to a target too far away becomes `ifne; goto_w` (5 bytes
 * more). With a nop before each instruction it has 2 K + 19 bytes, with a three-byte call 4 K + 31.
 */
static const unsigned sizes[] = {
    3,     8180,         /* no jump to widen */
    16000, 16376, 16377, /* 4 * 16376 + 31 = 65535 fits, the next does not */
    20000, 32757,        /* only nops fit */
    32758, 32759,        /* 2 * 32758 + 19 = 65535 fits, the next does not */
    32762,               /* the longest jump that 16 bits allow */
};
enum { N_SIZES = sizeof sizes / sizeof sizes[0] };

static void method(struct class_builder *cb, unsigned k, unsigned last_op) {
    char name[16];
    snprintf(name, sizeof name, "f%u", k);
    cb_u2(cb, 0x0009);
    cb_u2(cb, cb_utf8(cb, name));
    cb_u2(cb, cb_utf8(cb, "(I)I"));
    cb_u2(cb, 1);
    size_t code = cb_attr_begin(cb, "Code");
    cb_u2(cb, 1);
    cb_u2(cb, 1);
    cb_u4(cb, k + 8);
    cb_u1(cb, 26);
    cb_u1(cb, 153);
    cb_u2(cb, k + 5);
    for (unsigned i = 0; i < k; i++) cb_u1(cb, 0);
    cb_u1(cb, 4);
    cb_u1(cb, 172);
    cb_u1(cb, 5);
    cb_u1(cb, last_op);
    cb_u2(cb, 0);
    cb_u2(cb, 1);
    size_t map = cb_attr_begin(cb, "StackMapTable");
    cb_u2(cb, 1);
    cb_u1(cb, 251); /* same_frame_extended */
    cb_u2(cb, k + 6);
    cb_attr_end(cb, map);
    cb_attr_end(cb, code);
}

static void save(const char *dir, const char *name, unsigned first, unsigned n, unsigned last_op) {
    struct class_builder cb;
    cb_init(&cb, 61);
    cb_u2(&cb, 0x0021);
    cb_u2(&cb, cb_class(&cb, name));
    cb_u2(&cb, cb_class(&cb, "java/lang/Object"));
    cb_u2(&cb, 0);
    cb_u2(&cb, 0);
    cb_u2(&cb, n);
    for (unsigned i = 0; i < n; i++) method(&cb, sizes[first + i], last_op);
    cb_u2(&cb, 0);
    size_t size;
    uint8_t *p = cb_finish(&cb, &size);
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.class", dir, name);
    FILE *f = fopen(path, "wb");
    if (f == NULL || fwrite(p, 1, size, f) != size || fclose(f) != 0) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        exit(1);
    }
    free(p);
    cb_release(&cb);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fputs("usage: edge DIRECTORY-FOR-EDGE DIRECTORY-FOR-BROKEN\n", stderr);
        return 64;
    }
    save(argv[1], "Edge", 0, N_SIZES, 172);
    save(argv[2], "Broken", 0, 1, 176); /* areturn of an int */
    return 0;
}
