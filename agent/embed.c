#include "embed.h"

/* RACE_HELPER_DIR is where the build put the compiled classes. */
#define EMBED(symbol, file)                                                                                  \
    __asm__(".section .rodata\n"                                                                             \
            ".balign 8\n" #symbol "_bytes:\n"                                                                \
            ".incbin \"" RACE_HELPER_DIR "/java/lang/" file ".class\"\n" #symbol "_end:\n"                   \
            ".previous\n");                                                                                  \
    extern const uint8_t symbol##_bytes[], symbol##_end[];

EMBED(race_thread, "RaceThread")
EMBED(race_hooks_sites, "RaceHooks$Sites")
EMBED(race_memory, "RaceMemory")
EMBED(race_layout, "RaceLayout")
EMBED(race_shadow, "RaceShadow")
EMBED(race_containers, "RaceContainers")
EMBED(race_arrays, "RaceArrays")
EMBED(race_vars_layout, "RaceVars$Layout")
EMBED(race_vars_handle, "RaceVars$Handle")
EMBED(race_vars_row, "RaceVars$Row")
EMBED(race_vars, "RaceVars")
EMBED(race_tests, "RaceTests")
EMBED(race_hooks, "RaceHooks")

#define ROW(symbol, file)                                                                                    \
    { "java/lang/" file, symbol##_bytes, symbol##_end }

const struct embedded_class embedded_classes[] = {
    ROW(race_thread, "RaceThread"),
    ROW(race_hooks_sites, "RaceHooks$Sites"),
    ROW(race_memory, "RaceMemory"),
    ROW(race_layout, "RaceLayout"),
    ROW(race_shadow, "RaceShadow"),
    ROW(race_containers, "RaceContainers"),
    ROW(race_arrays, "RaceArrays"),
    ROW(race_vars_layout, "RaceVars$Layout"),
    ROW(race_vars_handle, "RaceVars$Handle"),
    ROW(race_vars_row, "RaceVars$Row"),
    ROW(race_vars, "RaceVars"),
    ROW(race_tests, "RaceTests"),
    ROW(race_hooks, "RaceHooks"),
};
const size_t embedded_class_count = sizeof embedded_classes / sizeof embedded_classes[0];
