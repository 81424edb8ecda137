#!/usr/bin/env bash
# Golden tests of the race pipeline: NAME.java beside NAME-expected.txt (the pairs left and why they are).
# A first line `// options: ...` replaces the default `-m NAME`.  With --update the expected files are written.
set -euo pipefail
update=0
[[ ${1:-} == --update ]] && update=1 && shift
[[ $# -eq 1 && -x $1/race ]] || { echo "usage: run.sh [--update] BUILD_DIR" >&2; exit 64; }
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
command -v jq >/dev/null || { echo "run.sh: jq is needed" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

java "$here/../../lib/CompileEach.java" "$work" "$here"/*.java

failed=0 total=0
for source in "$here"/*.java; do
    name=$(basename "$source" .java)
    options=$(sed -n '1s/^\/\/ options: *//p' "$source")
    # shellcheck disable=SC2086 # the options are words
    "$build/race" analyze -cp "$work/$name" ${options:--m $name} --benign-off all --format json --quiet >"$work/$name.json"
    jq -r '(.summary.funnel | "unlocked \(.unlocked), ultimate \(.ultimate)"),
        ([.races[] | "\(.kind) \(.field): " + ([.accesses[] | "\(.access) \(.class).\(.method):\(.line)"] | sort | join(" / "))] |
         sort | .[])' "$work/$name.json" >"$work/$name.txt"
    total=$((total + 1))
    if ((update)); then
        cp "$work/$name.txt" "$here/$name-expected.txt"
    elif ! diff -u "$here/$name-expected.txt" "$work/$name.txt"; then
        failed=$((failed + 1))
    fi
done
echo "$total programs, $failed differ"
((failed == 0))
