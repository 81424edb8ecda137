/* The program model as text. */
#include "internal.h"

void program_print_method(const struct program *p, method_id m, FILE *out) {
    const struct method_info *info = program_method(p, m);
    fprintf(out, "%s.%s%s", program_class_name(p, info->owner), program_str(p, info->name),
            program_str(p, info->desc));
}

void program_print_ref(const struct program *p, ref_id r, FILE *out) {
    const struct member_ref *ref = program_ref(p, r);
    fprintf(out, "%s.%s%s%s", program_class_name(p, ref->cls), program_str(p, ref->name),
            ref->is_field ? ":" : "", program_str(p, ref->desc));
}

enum owner { OF_CLASS, OF_FIELD, OF_METHOD };

/* Several bits mean different things on classes, fields and methods. */
static void print_flags(uint16_t access, enum owner of, FILE *out) {
    static const struct {
        uint16_t bit;
        const char *name[3];
    } flags[] = {
        {CF_ACC_PUBLIC, {"public", "public", "public"}},
        {CF_ACC_PRIVATE, {NULL, "private", "private"}},
        {CF_ACC_PROTECTED, {NULL, "protected", "protected"}},
        {CF_ACC_STATIC, {NULL, "static", "static"}},
        {CF_ACC_FINAL, {"final", "final", "final"}},
        {CF_ACC_SYNCHRONIZED, {NULL, NULL, "synchronized"}},
        {CF_ACC_VOLATILE, {NULL, "volatile", "bridge"}},
        {CF_ACC_TRANSIENT, {NULL, "transient", "varargs"}},
        {CF_ACC_NATIVE, {NULL, NULL, "native"}},
        {CF_ACC_ABSTRACT, {"abstract", NULL, "abstract"}},
        {CF_ACC_STRICT, {NULL, NULL, "strictfp"}},
        {CF_ACC_SYNTHETIC, {"synthetic", "synthetic", "synthetic"}},
        {CF_ACC_ANNOTATION, {"annotation", NULL, NULL}},
        {CF_ACC_ENUM, {"enum", "enum", NULL}},
        {CF_ACC_MODULE, {"module", NULL, NULL}},
    };
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if ((access & flags[i].bit) && flags[i].name[of]) fprintf(out, "%s ", flags[i].name[of]);
}

static void print_list(const struct program *p, const char *what, const class_id *v, uint32_t n, FILE *out) {
    for (uint32_t i = 0; i < n; i++) fprintf(out, "%s%s", i ? ", " : what, program_class_name(p, v[i]));
}

static void print_members(struct program *p, const struct class_info *info, FILE *out) {
    for (uint32_t i = 0; i < info->n_fields; i++) {
        const struct field_info *f = program_field(p, (field_id){info->first_field.v + i});
        fputs("  field ", out);
        print_flags(f->access, OF_FIELD, out);
        fprintf(out, "%s %s\n", program_str(p, f->name), program_str(p, f->desc));
    }
    for (uint32_t i = 0; i < info->n_methods; i++) {
        const struct method_info *m = program_method(p, (method_id){info->first_method.v + i});
        fputs("  method ", out);
        print_flags(m->access, OF_METHOD, out);
        fprintf(out, "%s%s\n", program_str(p, m->name), program_str(p, m->desc));
    }
}

void program_dump_class(struct program *p, class_id c, FILE *out) {
    const struct class_info *info = program_info(p, c);
    static const char *const states[] = {"named", "loading", "loaded", "phantom", "builtin"};
    print_flags(info->access, OF_CLASS, out);
    fprintf(out, "%s %s", (info->access & CF_ACC_INTERFACE) ? "interface" : "class",
            program_str(p, info->name));
    if (info->super.v != 0) fprintf(out, " extends %s", program_class_name(p, info->super));
    print_list(p, " implements ", info->interfaces, info->n_interfaces, out);
    fputc('\n', out);
    if (info->state != CLASS_LOADED) fprintf(out, "  %s\n", states[info->state]);
    if (info->state == CLASS_LOADED) fprintf(out, "  version %u\n", info->major);
    if (info->source_file.v != 0) fprintf(out, "  source %s\n", program_str(p, info->source_file));
    if (info->nest_host.v != c.v) fprintf(out, "  nest %s\n", program_class_name(p, info->nest_host));
    print_members(p, info, out);
}
