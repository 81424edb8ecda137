#include "stacks.h"

#include "agent.h"
#include "sites.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { BCI_BITS = 16 };

static uint64_t pack(const jvmtiFrameInfo *f) {
    uint64_t bci = f->location < 0 ? 0xffff : (uint64_t)f->location & 0xffff;
    return (uint64_t)(uintptr_t)f->method << BCI_BITS | bci;
}

/* "Lpkg/C;" -> "pkg.C" in place; returns its start.  The signature of a hidden class, "Lpkg/C$$Lambda.0x12;",
   has a dot where its name has a slash. */
static char *source_name(char *signature) {
    size_t n = strlen(signature);
    if (n < 2 || signature[0] != 'L') return signature;
    signature[n - 1] = '\0';
    for (char *p = signature; *p != '\0'; p++)
        if (*p == '/' || *p == '.') *p = *p == '/' ? '.' : '/';
    return signature + 1;
}

static bool ask_own(jmethodID method) {
    jvmtiEnv *jvmti = the_agent.jvmti;
    jclass cls;
    char *signature = NULL;
    if ((*jvmti)->GetMethodDeclaringClass(jvmti, method, &cls) != JVMTI_ERROR_NONE) return false;
    if ((*jvmti)->GetClassSignature(jvmti, cls, &signature, NULL) != JVMTI_ERROR_NONE) return false;
    bool own = strncmp(signature, "Ljava/lang/Race", 15) == 0;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    return own;
}

/* Asked again and again for the same few methods.  Ours are never unloaded, so a remembered answer stays true
 * for them; a number that is used again for a method of somebody else can only be one that was not ours. */
static bool is_own(jmethodID method) {
    enum { PLACES = 64 };
    static _Atomic uint64_t known[PLACES]; /* method << 1 | own */
    uint64_t id = (uint64_t)(uintptr_t)method;
    _Atomic uint64_t *place = &known[(id >> 3) % PLACES];
    uint64_t k = atomic_load_explicit(place, memory_order_relaxed);
    if (k >> 1 == id) return k & 1;
    bool own = ask_own(method);
    atomic_store_explicit(place, id << 1 | own, memory_order_relaxed);
    return own;
}

size_t stacks_capture(uint64_t frames[STACK_DEPTH]) {
    jvmtiEnv *jvmti = the_agent.jvmti;
    enum { OWN = 16 }; /* frames of the helper classes above the program's */
    jvmtiFrameInfo info[STACK_DEPTH + OWN];
    jint n = 0;
    if (!jvmti_ok((*jvmti)->GetStackTrace(jvmti, NULL, 0, STACK_DEPTH + OWN, info, &n), "stack")) return 0;
    jint skip = 0;
    while (skip < n && skip < OWN && is_own(info[skip].method)) skip++;
    size_t depth = 0;
    for (jint i = skip; i < n && depth < STACK_DEPTH; i++) frames[depth++] = pack(&info[i]);
    return depth;
}

static int line_of(jmethodID method, jlocation bci) {
    jvmtiEnv *jvmti = the_agent.jvmti;
    jvmtiLineNumberEntry *table = NULL;
    jint n = 0;
    int line = -1;
    if ((*jvmti)->GetLineNumberTable(jvmti, method, &n, &table) != JVMTI_ERROR_NONE) return -1;
    jlocation best = -1;
    for (jint i = 0; i < n; i++) {
        if (table[i].start_location > bci || table[i].start_location < best) continue;
        best = table[i].start_location;
        line = table[i].line_number;
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)table);
    return line;
}

/* A sweep is told of behind its loop: the innermost frame is to show the line of the access. */
static uint64_t at_line(uint64_t frame, int line) {
    jvmtiEnv *jvmti = the_agent.jvmti;
    jmethodID method = (jmethodID)(uintptr_t)(frame >> BCI_BITS);
    jvmtiLineNumberEntry *table = NULL;
    jint n = 0;
    uint64_t found = frame;
    if (line_of(method, (jlocation)(frame & 0xffff)) == line) return frame;
    if ((*jvmti)->GetLineNumberTable(jvmti, method, &n, &table) != JVMTI_ERROR_NONE) return frame;
    for (jint i = 0; i < n; i++)
        if (table[i].line_number == line)
            found = (uint64_t)(uintptr_t)method << BCI_BITS | ((uint64_t)table[i].start_location & 0xffff);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)table);
    return found;
}

size_t stacks_capture_at(uint64_t frames[STACK_DEPTH], uint32_t site) {
    size_t n = stacks_capture(frames);
    const struct site *s = sites_get(site);
    if (n > 0 && s->kind == SITE_ARRAY && s->line > 0) frames[0] = at_line(frames[0], s->line);
    return n;
}

size_t stacks_format(uint64_t frame, char *buf, size_t size) {
    jvmtiEnv *jvmti = the_agent.jvmti;
    jmethodID method = (jmethodID)(uintptr_t)(frame >> BCI_BITS);
    jlocation bci = (jlocation)(frame & 0xffff);
    jclass cls;
    char *name = NULL, *signature = NULL, *file = NULL;
    char where[300] = "Unknown Source";
    if ((*jvmti)->GetMethodName(jvmti, method, &name, NULL, NULL) != JVMTI_ERROR_NONE ||
        (*jvmti)->GetMethodDeclaringClass(jvmti, method, &cls) != JVMTI_ERROR_NONE ||
        (*jvmti)->GetClassSignature(jvmti, cls, &signature, NULL) != JVMTI_ERROR_NONE) {
        (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
        return (size_t)snprintf(buf, size, "(unloaded)");
    }
    if (bci == 0xffff) {
        strcpy(where, "Native Method");
    } else if ((*jvmti)->GetSourceFileName(jvmti, cls, &file) == JVMTI_ERROR_NONE) {
        int line = line_of(method, bci);
        if (line >= 0)
            snprintf(where, sizeof where, "%s:%d", file, line);
        else
            snprintf(where, sizeof where, "%s", file);
    }
    int n = snprintf(buf, size, "%s.%s(%s)", source_name(signature), name, where);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)file);
    if (n < 0) return 0;
    return (size_t)n < size ? (size_t)n : size - 1;
}
