#!/usr/bin/env bash
# Every header compiles alone, and twice in a row: it includes what it uses and guards itself.
# usage: run.sh CC SOURCE_DIR [INCLUDE_DIR...]
set -euo pipefail

cc=$1 root=$2
shift 2
includes=(-I "$root/include")
for dir in "$@"; do includes+=(-I "$dir"); done
# The agent's headers may include those of the JDK.
if javac=$(command -v javac); then
    jdk=$(dirname "$(dirname "$(readlink -f "$javac")")")
    includes+=(-I "$jdk/include" -I "$jdk/include/linux")
fi

cd "$root"
checked=0 bad=0
for header in include/race/*.h static/*/*.h runtime/*.h agent/*.h; do
    [[ -f $header ]] || continue
    checked=$((checked + 1))
    if ! printf '#include "%s"\n#include "%s"\nextern int unused;\n' "$root/$header" "$root/$header" |
        "$cc" -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only "${includes[@]}" -I "$(dirname "$header")" \
            -x c -; then
        echo "$header does not compile alone"
        bad=$((bad + 1))
    fi
done
echo "$checked headers, $bad bad"
((checked > 0 && bad == 0))
