/*
 * The 202 opcodes of JVMS chapter 6: names, operand formats and stack effects, as one table.
 *
 * CF_OPCODES(X) calls X(SUFFIX, "name", FORMAT, pops, pushes) in opcode order.  Stack effects are in words
 * (long and double count 2); CF_DYNAMIC_EFFECT marks those that depend on a descriptor or an operand.
 */
#ifndef RACE_OPCODES_H
#define RACE_OPCODES_H

#include <stdint.h>

enum { CF_OPCODE_COUNT = 202, CF_DYNAMIC_EFFECT = -1 };

/* What follows the opcode byte. */
enum cf_format {
    CF_F_NONE,          /* nothing */
    CF_F_LOCAL_N,       /* nothing; the local variable is part of the opcode (iload_2) */
    CF_F_BYTE,          /* s1 immediate */
    CF_F_SHORT,         /* s2 immediate */
    CF_F_LDC,           /* u1 constant */
    CF_F_LDC_W,         /* u2 constant */
    CF_F_LOCAL,         /* u1 local variable; u2 behind wide */
    CF_F_IINC,          /* u1 local, s1 delta; u2, s2 behind wide */
    CF_F_BRANCH,        /* s2 offset */
    CF_F_BRANCH_W,      /* s4 offset */
    CF_F_TABLE_SWITCH,  /* padding, s4 default, s4 low, s4 high, s4[high - low + 1] */
    CF_F_LOOKUP_SWITCH, /* padding, s4 default, s4 n, (s4, s4)[n] */
    CF_F_FIELD,         /* u2 Fieldref */
    CF_F_METHOD,        /* u2 Methodref or InterfaceMethodref */
    CF_F_INTERFACE,     /* u2 InterfaceMethodref, u1 count, u1 0 */
    CF_F_INDY,          /* u2 InvokeDynamic, u2 0 */
    CF_F_CLASS,         /* u2 Class */
    CF_F_NEWARRAY,      /* u1 primitive type code */
    CF_F_MULTI,         /* u2 Class, u1 dimensions */
    CF_F_WIDE           /* an opcode of format LOCAL or IINC with wider operands */
};

#define CF_OPCODES(X)                                                                                        \
    X(NOP, "nop", NONE, 0, 0)                                                                                \
    X(ACONST_NULL, "aconst_null", NONE, 0, 1)                                                                \
    X(ICONST_M1, "iconst_m1", NONE, 0, 1)                                                                    \
    X(ICONST_0, "iconst_0", NONE, 0, 1)                                                                      \
    X(ICONST_1, "iconst_1", NONE, 0, 1)                                                                      \
    X(ICONST_2, "iconst_2", NONE, 0, 1)                                                                      \
    X(ICONST_3, "iconst_3", NONE, 0, 1)                                                                      \
    X(ICONST_4, "iconst_4", NONE, 0, 1)                                                                      \
    X(ICONST_5, "iconst_5", NONE, 0, 1)                                                                      \
    X(LCONST_0, "lconst_0", NONE, 0, 2)                                                                      \
    X(LCONST_1, "lconst_1", NONE, 0, 2)                                                                      \
    X(FCONST_0, "fconst_0", NONE, 0, 1)                                                                      \
    X(FCONST_1, "fconst_1", NONE, 0, 1)                                                                      \
    X(FCONST_2, "fconst_2", NONE, 0, 1)                                                                      \
    X(DCONST_0, "dconst_0", NONE, 0, 2)                                                                      \
    X(DCONST_1, "dconst_1", NONE, 0, 2)                                                                      \
    X(BIPUSH, "bipush", BYTE, 0, 1)                                                                          \
    X(SIPUSH, "sipush", SHORT, 0, 1)                                                                         \
    X(LDC, "ldc", LDC, 0, 1)                                                                                 \
    X(LDC_W, "ldc_w", LDC_W, 0, 1)                                                                           \
    X(LDC2_W, "ldc2_w", LDC_W, 0, 2)                                                                         \
    X(ILOAD, "iload", LOCAL, 0, 1)                                                                           \
    X(LLOAD, "lload", LOCAL, 0, 2)                                                                           \
    X(FLOAD, "fload", LOCAL, 0, 1)                                                                           \
    X(DLOAD, "dload", LOCAL, 0, 2)                                                                           \
    X(ALOAD, "aload", LOCAL, 0, 1)                                                                           \
    X(ILOAD_0, "iload_0", LOCAL_N, 0, 1)                                                                     \
    X(ILOAD_1, "iload_1", LOCAL_N, 0, 1)                                                                     \
    X(ILOAD_2, "iload_2", LOCAL_N, 0, 1)                                                                     \
    X(ILOAD_3, "iload_3", LOCAL_N, 0, 1)                                                                     \
    X(LLOAD_0, "lload_0", LOCAL_N, 0, 2)                                                                     \
    X(LLOAD_1, "lload_1", LOCAL_N, 0, 2)                                                                     \
    X(LLOAD_2, "lload_2", LOCAL_N, 0, 2)                                                                     \
    X(LLOAD_3, "lload_3", LOCAL_N, 0, 2)                                                                     \
    X(FLOAD_0, "fload_0", LOCAL_N, 0, 1)                                                                     \
    X(FLOAD_1, "fload_1", LOCAL_N, 0, 1)                                                                     \
    X(FLOAD_2, "fload_2", LOCAL_N, 0, 1)                                                                     \
    X(FLOAD_3, "fload_3", LOCAL_N, 0, 1)                                                                     \
    X(DLOAD_0, "dload_0", LOCAL_N, 0, 2)                                                                     \
    X(DLOAD_1, "dload_1", LOCAL_N, 0, 2)                                                                     \
    X(DLOAD_2, "dload_2", LOCAL_N, 0, 2)                                                                     \
    X(DLOAD_3, "dload_3", LOCAL_N, 0, 2)                                                                     \
    X(ALOAD_0, "aload_0", LOCAL_N, 0, 1)                                                                     \
    X(ALOAD_1, "aload_1", LOCAL_N, 0, 1)                                                                     \
    X(ALOAD_2, "aload_2", LOCAL_N, 0, 1)                                                                     \
    X(ALOAD_3, "aload_3", LOCAL_N, 0, 1)                                                                     \
    X(IALOAD, "iaload", NONE, 2, 1)                                                                          \
    X(LALOAD, "laload", NONE, 2, 2)                                                                          \
    X(FALOAD, "faload", NONE, 2, 1)                                                                          \
    X(DALOAD, "daload", NONE, 2, 2)                                                                          \
    X(AALOAD, "aaload", NONE, 2, 1)                                                                          \
    X(BALOAD, "baload", NONE, 2, 1)                                                                          \
    X(CALOAD, "caload", NONE, 2, 1)                                                                          \
    X(SALOAD, "saload", NONE, 2, 1)                                                                          \
    X(ISTORE, "istore", LOCAL, 1, 0)                                                                         \
    X(LSTORE, "lstore", LOCAL, 2, 0)                                                                         \
    X(FSTORE, "fstore", LOCAL, 1, 0)                                                                         \
    X(DSTORE, "dstore", LOCAL, 2, 0)                                                                         \
    X(ASTORE, "astore", LOCAL, 1, 0)                                                                         \
    X(ISTORE_0, "istore_0", LOCAL_N, 1, 0)                                                                   \
    X(ISTORE_1, "istore_1", LOCAL_N, 1, 0)                                                                   \
    X(ISTORE_2, "istore_2", LOCAL_N, 1, 0)                                                                   \
    X(ISTORE_3, "istore_3", LOCAL_N, 1, 0)                                                                   \
    X(LSTORE_0, "lstore_0", LOCAL_N, 2, 0)                                                                   \
    X(LSTORE_1, "lstore_1", LOCAL_N, 2, 0)                                                                   \
    X(LSTORE_2, "lstore_2", LOCAL_N, 2, 0)                                                                   \
    X(LSTORE_3, "lstore_3", LOCAL_N, 2, 0)                                                                   \
    X(FSTORE_0, "fstore_0", LOCAL_N, 1, 0)                                                                   \
    X(FSTORE_1, "fstore_1", LOCAL_N, 1, 0)                                                                   \
    X(FSTORE_2, "fstore_2", LOCAL_N, 1, 0)                                                                   \
    X(FSTORE_3, "fstore_3", LOCAL_N, 1, 0)                                                                   \
    X(DSTORE_0, "dstore_0", LOCAL_N, 2, 0)                                                                   \
    X(DSTORE_1, "dstore_1", LOCAL_N, 2, 0)                                                                   \
    X(DSTORE_2, "dstore_2", LOCAL_N, 2, 0)                                                                   \
    X(DSTORE_3, "dstore_3", LOCAL_N, 2, 0)                                                                   \
    X(ASTORE_0, "astore_0", LOCAL_N, 1, 0)                                                                   \
    X(ASTORE_1, "astore_1", LOCAL_N, 1, 0)                                                                   \
    X(ASTORE_2, "astore_2", LOCAL_N, 1, 0)                                                                   \
    X(ASTORE_3, "astore_3", LOCAL_N, 1, 0)                                                                   \
    X(IASTORE, "iastore", NONE, 3, 0)                                                                        \
    X(LASTORE, "lastore", NONE, 4, 0)                                                                        \
    X(FASTORE, "fastore", NONE, 3, 0)                                                                        \
    X(DASTORE, "dastore", NONE, 4, 0)                                                                        \
    X(AASTORE, "aastore", NONE, 3, 0)                                                                        \
    X(BASTORE, "bastore", NONE, 3, 0)                                                                        \
    X(CASTORE, "castore", NONE, 3, 0)                                                                        \
    X(SASTORE, "sastore", NONE, 3, 0)                                                                        \
    X(POP, "pop", NONE, 1, 0)                                                                                \
    X(POP2, "pop2", NONE, 2, 0)                                                                              \
    X(DUP, "dup", NONE, 1, 2)                                                                                \
    X(DUP_X1, "dup_x1", NONE, 2, 3)                                                                          \
    X(DUP_X2, "dup_x2", NONE, 3, 4)                                                                          \
    X(DUP2, "dup2", NONE, 2, 4)                                                                              \
    X(DUP2_X1, "dup2_x1", NONE, 3, 5)                                                                        \
    X(DUP2_X2, "dup2_x2", NONE, 4, 6)                                                                        \
    X(SWAP, "swap", NONE, 2, 2)                                                                              \
    X(IADD, "iadd", NONE, 2, 1)                                                                              \
    X(LADD, "ladd", NONE, 4, 2)                                                                              \
    X(FADD, "fadd", NONE, 2, 1)                                                                              \
    X(DADD, "dadd", NONE, 4, 2)                                                                              \
    X(ISUB, "isub", NONE, 2, 1)                                                                              \
    X(LSUB, "lsub", NONE, 4, 2)                                                                              \
    X(FSUB, "fsub", NONE, 2, 1)                                                                              \
    X(DSUB, "dsub", NONE, 4, 2)                                                                              \
    X(IMUL, "imul", NONE, 2, 1)                                                                              \
    X(LMUL, "lmul", NONE, 4, 2)                                                                              \
    X(FMUL, "fmul", NONE, 2, 1)                                                                              \
    X(DMUL, "dmul", NONE, 4, 2)                                                                              \
    X(IDIV, "idiv", NONE, 2, 1)                                                                              \
    X(LDIV, "ldiv", NONE, 4, 2)                                                                              \
    X(FDIV, "fdiv", NONE, 2, 1)                                                                              \
    X(DDIV, "ddiv", NONE, 4, 2)                                                                              \
    X(IREM, "irem", NONE, 2, 1)                                                                              \
    X(LREM, "lrem", NONE, 4, 2)                                                                              \
    X(FREM, "frem", NONE, 2, 1)                                                                              \
    X(DREM, "drem", NONE, 4, 2)                                                                              \
    X(INEG, "ineg", NONE, 1, 1)                                                                              \
    X(LNEG, "lneg", NONE, 2, 2)                                                                              \
    X(FNEG, "fneg", NONE, 1, 1)                                                                              \
    X(DNEG, "dneg", NONE, 2, 2)                                                                              \
    X(ISHL, "ishl", NONE, 2, 1)                                                                              \
    X(LSHL, "lshl", NONE, 3, 2)                                                                              \
    X(ISHR, "ishr", NONE, 2, 1)                                                                              \
    X(LSHR, "lshr", NONE, 3, 2)                                                                              \
    X(IUSHR, "iushr", NONE, 2, 1)                                                                            \
    X(LUSHR, "lushr", NONE, 3, 2)                                                                            \
    X(IAND, "iand", NONE, 2, 1)                                                                              \
    X(LAND, "land", NONE, 4, 2)                                                                              \
    X(IOR, "ior", NONE, 2, 1)                                                                                \
    X(LOR, "lor", NONE, 4, 2)                                                                                \
    X(IXOR, "ixor", NONE, 2, 1)                                                                              \
    X(LXOR, "lxor", NONE, 4, 2)                                                                              \
    X(IINC, "iinc", IINC, 0, 0)                                                                              \
    X(I2L, "i2l", NONE, 1, 2)                                                                                \
    X(I2F, "i2f", NONE, 1, 1)                                                                                \
    X(I2D, "i2d", NONE, 1, 2)                                                                                \
    X(L2I, "l2i", NONE, 2, 1)                                                                                \
    X(L2F, "l2f", NONE, 2, 1)                                                                                \
    X(L2D, "l2d", NONE, 2, 2)                                                                                \
    X(F2I, "f2i", NONE, 1, 1)                                                                                \
    X(F2L, "f2l", NONE, 1, 2)                                                                                \
    X(F2D, "f2d", NONE, 1, 2)                                                                                \
    X(D2I, "d2i", NONE, 2, 1)                                                                                \
    X(D2L, "d2l", NONE, 2, 2)                                                                                \
    X(D2F, "d2f", NONE, 2, 1)                                                                                \
    X(I2B, "i2b", NONE, 1, 1)                                                                                \
    X(I2C, "i2c", NONE, 1, 1)                                                                                \
    X(I2S, "i2s", NONE, 1, 1)                                                                                \
    X(LCMP, "lcmp", NONE, 4, 1)                                                                              \
    X(FCMPL, "fcmpl", NONE, 2, 1)                                                                            \
    X(FCMPG, "fcmpg", NONE, 2, 1)                                                                            \
    X(DCMPL, "dcmpl", NONE, 4, 1)                                                                            \
    X(DCMPG, "dcmpg", NONE, 4, 1)                                                                            \
    X(IFEQ, "ifeq", BRANCH, 1, 0)                                                                            \
    X(IFNE, "ifne", BRANCH, 1, 0)                                                                            \
    X(IFLT, "iflt", BRANCH, 1, 0)                                                                            \
    X(IFGE, "ifge", BRANCH, 1, 0)                                                                            \
    X(IFGT, "ifgt", BRANCH, 1, 0)                                                                            \
    X(IFLE, "ifle", BRANCH, 1, 0)                                                                            \
    X(IF_ICMPEQ, "if_icmpeq", BRANCH, 2, 0)                                                                  \
    X(IF_ICMPNE, "if_icmpne", BRANCH, 2, 0)                                                                  \
    X(IF_ICMPLT, "if_icmplt", BRANCH, 2, 0)                                                                  \
    X(IF_ICMPGE, "if_icmpge", BRANCH, 2, 0)                                                                  \
    X(IF_ICMPGT, "if_icmpgt", BRANCH, 2, 0)                                                                  \
    X(IF_ICMPLE, "if_icmple", BRANCH, 2, 0)                                                                  \
    X(IF_ACMPEQ, "if_acmpeq", BRANCH, 2, 0)                                                                  \
    X(IF_ACMPNE, "if_acmpne", BRANCH, 2, 0)                                                                  \
    X(GOTO, "goto", BRANCH, 0, 0)                                                                            \
    X(JSR, "jsr", BRANCH, 0, 1)                                                                              \
    X(RET, "ret", LOCAL, 0, 0)                                                                               \
    X(TABLESWITCH, "tableswitch", TABLE_SWITCH, 1, 0)                                                        \
    X(LOOKUPSWITCH, "lookupswitch", LOOKUP_SWITCH, 1, 0)                                                     \
    X(IRETURN, "ireturn", NONE, 1, 0)                                                                        \
    X(LRETURN, "lreturn", NONE, 2, 0)                                                                        \
    X(FRETURN, "freturn", NONE, 1, 0)                                                                        \
    X(DRETURN, "dreturn", NONE, 2, 0)                                                                        \
    X(ARETURN, "areturn", NONE, 1, 0)                                                                        \
    X(RETURN, "return", NONE, 0, 0)                                                                          \
    X(GETSTATIC, "getstatic", FIELD, 0, CF_DYNAMIC_EFFECT)                                                   \
    X(PUTSTATIC, "putstatic", FIELD, CF_DYNAMIC_EFFECT, 0)                                                   \
    X(GETFIELD, "getfield", FIELD, 1, CF_DYNAMIC_EFFECT)                                                     \
    X(PUTFIELD, "putfield", FIELD, CF_DYNAMIC_EFFECT, 0)                                                     \
    X(INVOKEVIRTUAL, "invokevirtual", METHOD, CF_DYNAMIC_EFFECT, CF_DYNAMIC_EFFECT)                          \
    X(INVOKESPECIAL, "invokespecial", METHOD, CF_DYNAMIC_EFFECT, CF_DYNAMIC_EFFECT)                          \
    X(INVOKESTATIC, "invokestatic", METHOD, CF_DYNAMIC_EFFECT, CF_DYNAMIC_EFFECT)                            \
    X(INVOKEINTERFACE, "invokeinterface", INTERFACE, CF_DYNAMIC_EFFECT, CF_DYNAMIC_EFFECT)                   \
    X(INVOKEDYNAMIC, "invokedynamic", INDY, CF_DYNAMIC_EFFECT, CF_DYNAMIC_EFFECT)                            \
    X(NEW, "new", CLASS, 0, 1)                                                                               \
    X(NEWARRAY, "newarray", NEWARRAY, 1, 1)                                                                  \
    X(ANEWARRAY, "anewarray", CLASS, 1, 1)                                                                   \
    X(ARRAYLENGTH, "arraylength", NONE, 1, 1)                                                                \
    X(ATHROW, "athrow", NONE, 1, 0)                                                                          \
    X(CHECKCAST, "checkcast", CLASS, 1, 1)                                                                   \
    X(INSTANCEOF, "instanceof", CLASS, 1, 1)                                                                 \
    X(MONITORENTER, "monitorenter", NONE, 1, 0)                                                              \
    X(MONITOREXIT, "monitorexit", NONE, 1, 0)                                                                \
    X(WIDE, "wide", WIDE, CF_DYNAMIC_EFFECT, CF_DYNAMIC_EFFECT)                                              \
    X(MULTIANEWARRAY, "multianewarray", MULTI, CF_DYNAMIC_EFFECT, 1)                                         \
    X(IFNULL, "ifnull", BRANCH, 1, 0)                                                                        \
    X(IFNONNULL, "ifnonnull", BRANCH, 1, 0)                                                                  \
    X(GOTO_W, "goto_w", BRANCH_W, 0, 0)                                                                      \
    X(JSR_W, "jsr_w", BRANCH_W, 0, 1)

#define CF_OPCODE_ENUM_(suffix, name, format, pops, pushes) CF_OP_##suffix,
enum cf_opcode { CF_OPCODES(CF_OPCODE_ENUM_) };
#undef CF_OPCODE_ENUM_

struct cf_opcode_info {
    const char *name;
    uint8_t format;      /* enum cf_format */
    uint8_t length;      /* opcode and operands in bytes; 0 for switches and wide */
    int8_t pops, pushes; /* words, or CF_DYNAMIC_EFFECT */
};

/* Indexed by opcode. */
extern const struct cf_opcode_info cf_opcodes[CF_OPCODE_COUNT];

#endif
