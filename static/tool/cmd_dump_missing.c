/* Stands in for cmd_dump.c while the program model and the IR are not part of the build. */
#include "command.h"

const struct command command_dump = {
    .name = "dump",
    .summary = "print classes, their IR or their control flow",
    .synopsis = "classes|ir|cfg -cp PATH [--jdk HOME] [CLASS[.METHOD] | FILE.class]",
    .run = tool_unavailable,
};
