#!/usr/bin/env bash
# Precision on the kernels: how many pairs `race analyze` reports for each, and how many of them are true, that is, on a
# field that the kernel's `// race:` line names.  Fails if a named race is not reported, and if the counts are not those
# of pairs-expected.txt: a proof was lost, or found.  With --update the file is written.
set -euo pipefail
update=0
[[ ${1:-} == --update ]] && update=1 && shift
[[ $# -eq 1 && -x $1 ]] || { echo "usage: pairs.sh [--update] RACE" >&2; exit 64; }
race=$(readlink -f "$1")
here=$(cd "$(dirname "$0")" && pwd)
command -v jq >/dev/null || { echo "pairs.sh: jq is needed" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

failed=0
row() { printf '%-13s %8s %5s\n' "$@"; }
row kernel reported true >"$work/table"
while read -r source; do
    name=$(basename "$source" .java)
    javac --release 17 -d "$work/$name" "$source" "$here"/kernels/{Args,Rng}.java
    "$race" analyze -cp "$work/$name" -m "bench.$name" --benign-off all --format json --quiet >"$work/$name.json"
    jq -r '.races[] | "\(.kind) \(.field)"' "$work/$name.json" >"$work/$name.fields"
    sed -n 's/^\/\/ race: *//p' "$source" >"$work/$name.true"
    while read -r true_race; do
        grep -qxF "$true_race" "$work/$name.fields" && continue
        echo "$name: the race on $true_race is not reported"
        failed=1
    done <"$work/$name.true"
    real=$(grep -cxFf "$work/$name.true" "$work/$name.fields" || true) # empty if there is nothing to look for
    row "$name" "$(wc -l <"$work/$name.fields")" "${real:-0}" >>"$work/table"
done < <(grep -lE '^// (race|norace)' "$here"/kernels/*.java)
cat "$work/table"
if ((update)); then
    cp "$work/table" "$here/pairs-expected.txt"
elif ! diff -u "$here/pairs-expected.txt" "$work/table"; then
    failed=1
fi
exit $failed
