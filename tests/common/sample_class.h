/*
 * One valid class with every structure the reader decodes, each place marked.  The unit tests check what the
 * reader makes of it, and damage it in one place at a time; tests/malformed writes such damaged files to
 * disk.
 */
#ifndef RACE_TESTS_SAMPLE_CLASS_H
#define RACE_TESTS_SAMPLE_CLASS_H

#include "class_builder.h"

/*
 *   static int m(Object o, int n) {
 *      0: aload_0            30: bipush 7
 *      1: ifnull 8           32: ireturn
 *      4: getstatic f        33: pop
 *      7: pop                34: new Object
 *      8: iload_1            37: dup
 *      9: tableswitch        38: invokespecial Object.<init>
 *           0: 30            41: pop
 *           default: 28      42: iconst_1
 *     28: iconst_0           43: ireturn
 *     29: ireturn         [0, 30) -> 33
 */
enum { SAMPLE_CODE_LENGTH = 44 };

struct sample_consts {
    uint16_t object, throwable, field, init, handle, indy;
};

static inline void sample_bytecode(struct class_builder *cb, const struct sample_consts *k) {
    cb_u1(cb, 42);
    cb_mark(cb, "ifnull");
    cb_u1(cb, 198);
    cb_u2(cb, 7);
    cb_mark(cb, "getstatic");
    cb_u1(cb, 178);
    cb_u2(cb, k->field);
    cb_u1(cb, 87);
    cb_mark(cb, "iload_1");
    cb_u1(cb, 27);
    cb_mark(cb, "tableswitch");
    cb_u1(cb, 170);
    cb_u2(cb, 0); /* padding */
    cb_u4(cb, 28 - 9);
    cb_u4(cb, 0);
    cb_u4(cb, 0);
    cb_u4(cb, 30 - 9);
    cb_u1(cb, 3);
    cb_u1(cb, 172);
    cb_mark(cb, "bipush");
    cb_u1(cb, 16);
    cb_u1(cb, 7);
    cb_u1(cb, 172);
    cb_mark(cb, "pop");
    cb_u1(cb, 87);
    cb_mark(cb, "new");
    cb_u1(cb, 187);
    cb_u2(cb, k->object);
    cb_u1(cb, 89);
    cb_mark(cb, "invokespecial");
    cb_u1(cb, 183);
    cb_u2(cb, k->init);
    cb_u1(cb, 87);
    cb_u1(cb, 4);
    cb_mark(cb, "last");
    cb_u1(cb, 172);
}

static inline void sample_stack_map(struct class_builder *cb, const struct sample_consts *k) {
    size_t a = cb_attr_begin(cb, "StackMapTable");
    cb_u2(cb, 4);
    cb_mark(cb, "frame0");
    cb_u1(cb, 8); /* same at 8 */
    cb_mark(cb, "frame1");
    cb_u1(cb, 19); /* same at 28 */
    cb_mark(cb, "frame2");
    cb_u1(cb, 1); /* same at 30 */
    cb_mark(cb, "frame3");
    cb_u1(cb, 64 + 2); /* at 33 with a Throwable on the stack */
    cb_u1(cb, 7);
    cb_u2(cb, k->throwable);
    cb_attr_end(cb, a);
}

static inline void sample_debug_tables(struct class_builder *cb) {
    size_t a = cb_attr_begin(cb, "LineNumberTable");
    cb_u2(cb, 2);
    cb_mark(cb, "line0");
    cb_u2(cb, 0);
    cb_u2(cb, 10);
    cb_u2(cb, 30);
    cb_u2(cb, 12);
    cb_attr_end(cb, a);

    a = cb_attr_begin(cb, "LocalVariableTable");
    cb_u2(cb, 1);
    cb_mark(cb, "var0");
    cb_u2(cb, 0);
    cb_u2(cb, SAMPLE_CODE_LENGTH);
    cb_u2(cb, cb_utf8(cb, "o"));
    cb_u2(cb, cb_utf8(cb, "Ljava/lang/Object;"));
    cb_u2(cb, 0);
    cb_attr_end(cb, a);

    a = cb_attr_begin(cb, "RuntimeVisibleTypeAnnotations");
    cb_u2(cb, 2);
    cb_u1(cb, 0x44); /* new */
    cb_mark(cb, "type_annotation_offset");
    cb_u2(cb, 34);
    cb_u1(cb, 0);
    cb_u2(cb, cb_utf8(cb, "Lp/A;"));
    cb_u2(cb, 0);
    cb_u1(cb, 0x40); /* local variable */
    cb_u2(cb, 1);
    cb_mark(cb, "type_annotation_range");
    cb_u2(cb, 8);
    cb_u2(cb, 20);
    cb_u2(cb, 0);
    cb_u1(cb, 0);
    cb_u2(cb, cb_utf8(cb, "Lp/A;"));
    cb_u2(cb, 0);
    cb_attr_end(cb, a);
}

static inline void sample_code(struct class_builder *cb, const struct sample_consts *k) {
    cb_mark(cb, "code_attribute");
    size_t code = cb_attr_begin(cb, "Code");
    cb_u2(cb, 2);
    cb_mark(cb, "max_locals");
    cb_u2(cb, 2);
    cb_mark(cb, "code_length");
    cb_u4(cb, SAMPLE_CODE_LENGTH);
    cb_mark(cb, "code");
    sample_bytecode(cb, k);
    cb_u2(cb, 1);
    cb_mark(cb, "handler");
    cb_u2(cb, 0);
    cb_u2(cb, 30);
    cb_u2(cb, 33);
    cb_u2(cb, k->throwable);
    cb_mark(cb, "code_attributes");
    cb_u2(cb, 4);
    sample_stack_map(cb, k);
    sample_debug_tables(cb);
    cb_attr_end(cb, code);
}

static inline void sample_members(struct class_builder *cb, const struct sample_consts *k) {
    cb_mark(cb, "fields");
    cb_u2(cb, 1);
    cb_mark(cb, "field");
    cb_u2(cb, 0x0008);
    cb_u2(cb, cb_utf8(cb, "f"));
    cb_u2(cb, cb_utf8(cb, "I"));
    cb_u2(cb, 1);
    size_t a = cb_attr_begin(cb, "RuntimeInvisibleAnnotations"); /* @q.Outer.GuardedBy("this") */
    cb_mark(cb, "annotations");
    cb_u2(cb, 1);
    cb_u2(cb, cb_utf8(cb, "Lq/Outer$GuardedBy;"));
    cb_u2(cb, 1);
    cb_u2(cb, cb_utf8(cb, "value"));
    cb_u1(cb, 's');
    cb_u2(cb, cb_utf8(cb, "this"));
    cb_attr_end(cb, a);

    cb_mark(cb, "methods");
    cb_u2(cb, 2);
    cb_mark(cb, "method");
    cb_u2(cb, 0x0008);
    cb_u2(cb, cb_utf8(cb, "m"));
    cb_u2(cb, cb_utf8(cb, "(Ljava/lang/Object;I)I"));
    cb_u2(cb, 1);
    sample_code(cb, k);
    cb_mark(cb, "native_method");
    cb_u2(cb, 0x0100);
    cb_u2(cb, cb_utf8(cb, "n"));
    cb_u2(cb, cb_utf8(cb, "()V"));
    cb_u2(cb, 0);
}

static inline void sample_class_attrs(struct class_builder *cb, const struct sample_consts *k) {
    cb_mark(cb, "class_attributes");
    cb_u2(cb, 4);
    size_t a = cb_attr_begin(cb, "SourceFile");
    cb_u2(cb, cb_utf8(cb, "Sample.java"));
    cb_attr_end(cb, a);
    a = cb_attr_begin(cb, "BootstrapMethods");
    cb_u2(cb, 1);
    cb_mark(cb, "bootstrap");
    cb_u2(cb, k->handle);
    cb_u2(cb, 1);
    cb_u2(cb, cb_ref1(cb, 8, "argument"));
    cb_attr_end(cb, a);
    a = cb_attr_begin(cb, "InnerClasses");
    cb_u2(cb, 1);
    cb_mark(cb, "inner");
    cb_u2(cb, cb_class(cb, "Sample$I"));
    cb_u2(cb, 0);
    cb_u2(cb, cb_utf8(cb, "I"));
    cb_u2(cb, 0);
    cb_attr_end(cb, a);
    a = cb_attr_begin(cb, "Unheard-of");
    cb_u1(cb, 42);
    cb_attr_end(cb, a);
}

/* Fills an initialised builder. */
static inline struct sample_consts sample_build(struct class_builder *cb) {
    struct sample_consts k;
    uint16_t this_class = cb_class(cb, "Sample");
    k.object = cb_class(cb, "java/lang/Object");
    k.throwable = cb_class(cb, "java/lang/Throwable");
    k.field = cb_member(cb, 9, "Sample", "f", "I");
    k.init = cb_member(cb, 10, "java/lang/Object", "<init>", "()V");
    cb_long(cb, UINT64_C(0x123456789ABCDEF0));
    uint16_t bootstrap = cb_member(cb, 10, "p/B", "b", "()Ljava/lang/invoke/CallSite;");
    k.handle = cb_const(cb, 15);
    bytes_u1(&cb->pool, 6);
    bytes_u2(&cb->pool, bootstrap);
    uint16_t nt = cb_name_and_type(cb, "d", "()V");
    k.indy = cb_const(cb, 18);
    bytes_u2(&cb->pool, 0);
    bytes_u2(&cb->pool, nt);

    cb_mark(cb, "access");
    cb_u2(cb, 0x0021);
    cb_mark(cb, "this_class");
    cb_u2(cb, this_class);
    cb_mark(cb, "super_class");
    cb_u2(cb, k.object);
    cb_mark(cb, "interfaces");
    cb_u2(cb, 1);
    cb_mark(cb, "interface");
    cb_u2(cb, cb_class(cb, "java/lang/Runnable"));
    sample_members(cb, &k);
    sample_class_attrs(cb, &k);
    cb_mark(cb, "end");
    return k;
}

#endif
