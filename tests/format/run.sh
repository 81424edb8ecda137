#!/usr/bin/env bash
# All C code is formatted by clang-format.  Releases of it disagree in details, so only one of them judges.
# usage: run.sh SOURCE_DIR
set -euo pipefail

format=$(command -v clang-format-14 || command -v clang-format || true)
if [[ -z $format || $("$format" --version) != *' version 14.'* ]]; then
    echo "skipped: clang-format 14 is not installed"
    exit 77
fi
cd "$1"
mapfile -t files < <(find include static agent runtime tests -name '*.[ch]' -not -path '*/build*' 2>/dev/null | sort)
"$format" --dry-run -Werror "${files[@]}"
echo "${#files[@]} files are well formatted"
