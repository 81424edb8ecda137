#include "embed.h"

/* RACE_HELPER_DIR is where the build put the compiled classes. */
#define EMBED(symbol, file)                                                                                  \
    __asm__(".section .rodata\n"                                                                             \
            ".balign 8\n" #symbol "_bytes:\n"                                                                \
            ".incbin \"" RACE_HELPER_DIR "/java/lang/" file ".class\"\n" #symbol "_end:\n"                   \
            ".previous\n");                                                                                  \
    extern const uint8_t symbol##_bytes[], symbol##_end[];

EMBED(race_thread, "RaceThread")
EMBED(race_epoch, "RaceEpoch")
EMBED(race_sites, "RaceSites")
EMBED(race_memory, "RaceMemory")
EMBED(race_layout, "RaceLayout")
EMBED(race_gate, "RaceGate")
EMBED(race_entry, "RaceEntry")
EMBED(race_chunks, "RaceChunks")
EMBED(race_shadow, "RaceShadow")
EMBED(race_kind, "RaceKind")
EMBED(race_containers, "RaceContainers")
EMBED(race_arrays, "RaceArrays")
EMBED(race_runs, "RaceRuns")
EMBED(race_readers, "RaceReaders")
EMBED(race_seen, "RaceSeen")
EMBED(race_monitors, "RaceMonitors")
EMBED(race_monitors_row, "RaceMonitors$Row")
EMBED(race_vars_layout, "RaceVars$Layout")
EMBED(race_vars_handle, "RaceVars$Handle")
EMBED(race_vars_row, "RaceVars$Row")
EMBED(race_vars, "RaceVars")
EMBED(race_tests, "RaceTests")
EMBED(race_frozen, "RaceFrozen")
EMBED(race_walk, "RaceWalk")
EMBED(race_alike, "RaceAlike")
EMBED(race_links, "RaceLinks")
EMBED(race_access, "RaceAccess")
EMBED(race_elements, "RaceElements")
EMBED(race_clocks, "RaceClocks")
EMBED(race_maps, "RaceMaps")
EMBED(race_locks, "RaceLocks")
EMBED(race_threads, "RaceThreads")
EMBED(race_optimistic, "RaceOptimistic")
EMBED(race_boundary, "RaceBoundary")
EMBED(race_hooks, "RaceHooks")

#define ROW(symbol, file)                                                                                    \
    { "java/lang/" file, symbol##_bytes, symbol##_end }

const struct embedded_class embedded_classes[] = {
    ROW(race_thread, "RaceThread"),
    ROW(race_epoch, "RaceEpoch"),
    ROW(race_sites, "RaceSites"),
    ROW(race_memory, "RaceMemory"),
    ROW(race_layout, "RaceLayout"),
    ROW(race_gate, "RaceGate"),
    ROW(race_entry, "RaceEntry"),
    ROW(race_chunks, "RaceChunks"),
    ROW(race_shadow, "RaceShadow"),
    ROW(race_kind, "RaceKind"),
    ROW(race_containers, "RaceContainers"),
    ROW(race_arrays, "RaceArrays"),
    ROW(race_runs, "RaceRuns"),
    ROW(race_readers, "RaceReaders"),
    ROW(race_seen, "RaceSeen"),
    ROW(race_monitors, "RaceMonitors"),
    ROW(race_monitors_row, "RaceMonitors$Row"),
    ROW(race_vars_layout, "RaceVars$Layout"),
    ROW(race_vars_handle, "RaceVars$Handle"),
    ROW(race_vars_row, "RaceVars$Row"),
    ROW(race_vars, "RaceVars"),
    ROW(race_tests, "RaceTests"),
    ROW(race_frozen, "RaceFrozen"),
    ROW(race_walk, "RaceWalk"),
    ROW(race_alike, "RaceAlike"),
    ROW(race_links, "RaceLinks"),
    ROW(race_access, "RaceAccess"),
    ROW(race_elements, "RaceElements"),
    ROW(race_clocks, "RaceClocks"),
    ROW(race_maps, "RaceMaps"),
    ROW(race_locks, "RaceLocks"),
    ROW(race_threads, "RaceThreads"),
    ROW(race_optimistic, "RaceOptimistic"),
    ROW(race_boundary, "RaceBoundary"),
    ROW(race_hooks, "RaceHooks"),
};
const size_t embedded_class_count = sizeof embedded_classes / sizeof embedded_classes[0];
