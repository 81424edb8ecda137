#!/usr/bin/env bash
# Two runs print the same bytes: the call graph and all sets of a program, JDK included, and the report of the whole analysis.
# The second run finds another memory: other addresses, and fresh blocks that are filled.
set -euo pipefail

race=${1:?usage: determinism.sh RACE}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

javac -g -nowarn --release 17 -d "$work/classes" "$here"/../../samples/crawler/*.java
main=$(cd "$work/classes" && find . -name Main.class | sed 's#^\./##; s#\.class$##; s#/#.#g')
failed=0
same() { # words...
    "$race" "$@" -cp "$work/classes" -m "$main" >"$work/first"
    MALLOC_PERTURB_=165 "$race" "$@" -cp "$work/classes" -m "$main" >"$work/second"
    [[ -s $work/first ]] || { echo "FAILED: race $*: prints nothing" && failed=1; }
    cmp "$work/first" "$work/second" || { echo "FAILED: race $*: two runs differ" && failed=1; }
}
same dump callgraph -k 1 --all
same dump pointsto -k origin+1 --all
same analyze --quiet --fail-on none --format json
[[ $failed == 0 ]] && echo "3 outputs, the same twice"
