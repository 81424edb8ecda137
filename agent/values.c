#include "values.h"

#include "agent.h"
#include "fields.h"
#include "report.h"
#include "sites.h"

#include <inttypes.h>
#include <math.h> /* isnan, isinf */
#include <stdio.h>
#include <stdlib.h> /* strtod */
#include <string.h>

enum { TEXT_MAX = 40 }; /* characters of a string that are shown */

static void put_char(jchar c, char *buf, size_t size) {
    snprintf(buf, size, c >= ' ' && c <= '~' ? "'%c'" : "'\\u%04x'", (unsigned)c);
}

/* With as few digits as tell it from its neighbours, and a point whatever the user's language has there. */
static void put_float(double value, bool is_double, char *buf, size_t size) {
    if (isnan(value) || isinf(value)) {
        snprintf(buf, size, isnan(value) ? "NaN" : value < 0 ? "-Infinity" : "Infinity");
        return;
    }
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(buf, size, "%.*g", digits, value);
        if (is_double ? strtod(buf, NULL) == value : strtof(buf, NULL) == (float)value) break;
    }
    char *comma = strchr(buf, ',');
    if (comma != NULL) *comma = '.';
}

/* As a literal has it: a line must stay one, and nothing of the program's may steer the terminal. */
static void put_escaped(const char *text, char *buf, size_t size) {
    size_t n = 0;
    for (const unsigned char *p = (const unsigned char *)text; *p != '\0' && n + 8 < size; p++) {
        bool is_c1 = p[0] == 0xC2 && p[1] >= 0x80 && p[1] < 0xA0; /* controls of two bytes */
        if (is_c1) p++;
        if (is_c1 || *p < ' ' || *p == 0x7F)
            n += (size_t)snprintf(buf + n, size - n, "\\u%04x", *p);
        else
            n += (size_t)snprintf(buf + n, size - n, *p == '"' || *p == '\\' ? "\\%c" : "%c", *p);
    }
    buf[n] = '\0';
}

static void put_string(JNIEnv *jni, jstring s, char *buf, size_t size) {
    char text[6 * TEXT_MAX + 1]; /* modified UTF-8 takes up to three bytes a character */
    char escaped[6 * TEXT_MAX + 9];
    jsize length = (*jni)->GetStringLength(jni, s), n = length < TEXT_MAX ? length : TEXT_MAX;
    memset(text, 0, sizeof text);
    (*jni)->GetStringUTFRegion(jni, s, 0, n, text);
    put_escaped(text, escaped, sizeof escaped);
    snprintf(buf, size, "\"%s\"%s", escaped, n < length ? "..." : "");
}

static void put_object(JNIEnv *jni, jobject o, char *buf, size_t size) {
    jvmtiEnv *jvmti = the_agent.jvmti;
    char *signature = NULL;
    if (o == NULL) {
        snprintf(buf, size, "null");
        return;
    }
    jclass c = (*jni)->GetObjectClass(jni, o);
    if ((*jvmti)->GetClassSignature(jvmti, c, &signature, NULL) == JVMTI_ERROR_NONE) {
        if (strcmp(signature, "Ljava/lang/String;") == 0)
            put_string(jni, o, buf, size);
        else
            report_type_name(signature, buf, size);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    }
    (*jni)->DeleteLocalRef(jni, c);
    (*jni)->DeleteLocalRef(jni, o);
}

/* Writes a value of the type. */
static void put_value(JNIEnv *jni, char type, const jvalue *v, char *buf, size_t size) {
    switch (type) {
    case 'Z': snprintf(buf, size, "%s", v->z ? "true" : "false"); break;
    case 'C': put_char(v->c, buf, size); break;
    case 'B': snprintf(buf, size, "%d", v->b); break;
    case 'S': snprintf(buf, size, "%d", v->s); break;
    case 'I': snprintf(buf, size, "%" PRId32, v->i); break;
    case 'J': snprintf(buf, size, "%" PRId64, (int64_t)v->j); break;
    case 'F': put_float((double)v->f, false, buf, size); break;
    case 'D': put_float(v->d, true, buf, size); break;
    default: put_object(jni, v->l, buf, size); break;
    }
}

/* One line for each type: JNI has a function for each. */
#define FOR_EACH_TYPE(X)                                                                                     \
    X('Z', z, Boolean)                                                                                       \
    X('B', b, Byte)                                                                                          \
    X('C', c, Char) X('S', s, Short) X('I', i, Int) X('J', j, Long) X('F', f, Float) X('D', d, Double)

static void get_instance(JNIEnv *jni, jobject o, jfieldID f, char type, jvalue *v) {
#define GET(t, member, Name)                                                                                 \
    case t: v->member = (*jni)->Get##Name##Field(jni, o, f); return;
    switch (type) { FOR_EACH_TYPE(GET) }
#undef GET
    v->l = (*jni)->GetObjectField(jni, o, f);
}

static void get_static(JNIEnv *jni, jclass c, jfieldID f, char type, jvalue *v) {
#define GET(t, member, Name)                                                                                 \
    case t: v->member = (*jni)->GetStatic##Name##Field(jni, c, f); return;
    switch (type) { FOR_EACH_TYPE(GET) }
#undef GET
    v->l = (*jni)->GetStaticObjectField(jni, c, f);
}

static void get_element(JNIEnv *jni, jarray a, jint index, char type, jvalue *v) {
#define GET(t, member, Name)                                                                                 \
    case t: (*jni)->Get##Name##ArrayRegion(jni, a, index, 1, &v->member); return;
    switch (type) { FOR_EACH_TYPE(GET) }
#undef GET
    v->l = (*jni)->GetObjectArrayElement(jni, a, index);
}

/* The type of the array's elements, as the array itself tells: one instruction serves byte[] and boolean[].
 * 0: it is no array with such an element. */
static char element_type(JNIEnv *jni, jobject array, jint index) {
    jvmtiEnv *jvmti = the_agent.jvmti;
    char *signature = NULL, type = 0;
    jclass c = (*jni)->GetObjectClass(jni, array);
    if ((*jvmti)->GetClassSignature(jvmti, c, &signature, NULL) == JVMTI_ERROR_NONE) {
        if (signature[0] == '[') type = signature[1];
        (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    }
    (*jni)->DeleteLocalRef(jni, c);
    return type != 0 && index >= 0 && index < (*jni)->GetArrayLength(jni, array) ? type : 0;
}

static char get(JNIEnv *jni, jobject holder, uint32_t site, jint index, jvalue *v) {
    char type = 0;
    const struct site *s = sites_get(site);
    if (s->kind == SITE_ARRAY) {
        type = element_type(jni, holder, index);
        if (type != 0) get_element(jni, holder, index, type, v);
        return type;
    }
    if (s->kind != SITE_INSTANCE && s->kind != SITE_STATIC) return 0;
    jfieldID field = fields_of_site(jni, holder, site, &type);
    if (field == NULL) return 0;
    (s->kind == SITE_STATIC ? get_static : get_instance)(jni, holder, field, type, v);
    return type;
}

void values_now(JNIEnv *jni, jobject holder, uint32_t site, jint index, char *buf, size_t size) {
    jvalue v;
    buf[0] = '\0';
    char type = holder == NULL ? 0 : get(jni, holder, site, index, &v);
    if (type != 0) put_value(jni, type, &v, buf, size);
    (*jni)->ExceptionClear(jni);
}
