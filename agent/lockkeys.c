#include "lockkeys.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A key is the number of the class, from 1 on, above a count of all locks. */
enum { COUNT_BITS = 40, CLASSES_MAX = 1 << 20, BUCKETS = 256 };

struct lock_class {
    struct lock_class *next; /* of the same bucket */
    uint64_t number;
    char name[];
};

/* Entries are never changed nor freed. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct lock_class *buckets[BUCKETS], **classes; /* by name; by number */
static size_t n_classes = 1, cap_classes;
static uint64_t n_locks;

/* The locks of the JDK keep their state in a nested class; people know the class around it. */
static void name_owner(char *name) {
    static const char *const inner[] = {".NonfairSync", ".FairSync", ".Sync"};
    if (strncmp(name, "java.util.concurrent.", 21) != 0) return;
    size_t n = strlen(name);
    for (size_t i = 0; i < sizeof inner / sizeof inner[0]; i++) {
        size_t k = strlen(inner[i]);
        if (n > k && strcmp(name + n - k, inner[i]) == 0) {
            name[n - k] = '\0';
            return;
        }
    }
}

/* One more class of locks; NULL if out of memory.  Under the mutex. */
static struct lock_class *add(struct lock_class **bucket, const char *name) {
    if (n_classes == CLASSES_MAX) return NULL;
    if (n_classes >= cap_classes) {
        size_t cap = cap_classes == 0 ? 256 : cap_classes * 2;
        struct lock_class **bigger = realloc(classes, cap * sizeof(struct lock_class *));
        if (bigger == NULL) return NULL;
        classes = bigger;
        cap_classes = cap;
    }
    struct lock_class *c = malloc(sizeof *c + strlen(name) + 1);
    if (c == NULL) return NULL;
    strcpy(c->name, name);
    c->number = n_classes;
    c->next = *bucket;
    *bucket = classes[n_classes++] = c;
    return c;
}

uint64_t lockkeys_new(char *class_name) {
    name_owner(class_name);
    uint32_t hash = 0;
    for (const char *p = class_name; *p != '\0'; p++) hash = hash * 31 + (unsigned char)*p;
    struct lock_class **bucket = &buckets[hash % BUCKETS];
    pthread_mutex_lock(&mutex);
    struct lock_class *c = *bucket;
    while (c != NULL && strcmp(c->name, class_name) != 0) c = c->next;
    if (c == NULL) c = add(bucket, class_name);
    uint64_t key = c == NULL ? 0 : c->number << COUNT_BITS | n_locks++;
    pthread_mutex_unlock(&mutex);
    return key;
}

const char *lockkeys_class(uint64_t key) {
    uint64_t number = key >> COUNT_BITS;
    pthread_mutex_lock(&mutex);
    const char *name = number > 0 && number < n_classes ? classes[number]->name : NULL;
    pthread_mutex_unlock(&mutex);
    return name;
}
