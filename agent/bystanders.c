#include "bystanders.h"

#include <string.h>

static const char *const packages[] = {
    "org/junit/",    "junit/framework/",   "junit/runner/",
    "junit/textui/", "org/testng/",        "org/opentest4j/",
    "org/hamcrest/", "org/jacoco/",        "org/apache/maven/surefire/",
    "org/gradle/",   "worker/org/gradle/", "com/intellij/rt/",
};

bool bystander_class(const char *name) {
    for (size_t i = 0; i < sizeof packages / sizeof *packages; i++)
        if (strncmp(name, packages[i], strlen(packages[i])) == 0) return true;
    return false;
}

bool bystander_probes(const uint8_t *bytes, size_t size) {
    static const char marker[] = "$jacoco"; /* of the members that keep the probes */
    return memmem(bytes, size, marker, sizeof marker - 1) != NULL;
}
