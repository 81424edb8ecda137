#!/usr/bin/env bash
# Golden tests of the owner types: NAME.java beside NAME-expected.txt, the output of `race dump types`.  A discovery
# log NAME.jsonl is given with --discovered.  With --update the expected files are written.
set -euo pipefail
update=0
[[ ${1:-} == --update ]] && update=1 && shift
[[ $# -eq 1 && -x $1/race ]] || { echo "usage: run.sh [--update] BUILD_DIR" >&2; exit 64; }
race=$(cd "$1" && pwd)/race
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

failed=0 total=0
for source in "$here"/*.java; do
    name=$(basename "$source" .java)
    mkdir -p "$work/$name"
    javac -nowarn -g -d "$work/$name" "$source"
    log=()
    [[ -f $here/$name.jsonl ]] && log=(--discovered "$here/$name.jsonl")
    "$race" dump types -cp "$work/$name" -m "$name" "${log[@]}" --quiet >"$work/$name.txt"
    total=$((total + 1))
    if ((update)); then
        cp "$work/$name.txt" "$here/$name-expected.txt"
    elif ! diff -u "$here/$name-expected.txt" "$work/$name.txt"; then
        failed=$((failed + 1))
    fi
done

# Logs that are none: one line that names the file, exit code 65, no plan.
refuses() { # WHAT EXPECTED LOG-TEXT
    local code=0
    printf '%s' "$3" >"$work/bad.jsonl"
    total=$((total + 1))
    "$race" analyze -cp "$work/Figure1" -m Figure1 --discovered "$work/bad.jsonl" -o "$work/bad.plan" >"$work/out" 2>"$work/err" || code=$?
    if [[ $code -ne 65 || -e $work/bad.plan || $(wc -l <"$work/err") -ne 1 ]] || ! grep -qF "race: $work/bad.jsonl: $2" "$work/err"; then
        echo "$1: exit code $code, said: $(cat "$work/err")"
        failed=$((failed + 1))
    fi
}
header='{"type":"header","mode":"discover"}'
owner='{"type":"owner","class":"Node","field":"value","owner":"self"}'
summary='{"type":"summary"}'
refuses "empty" "is empty" ""
refuses "another mode" "line 1: is no discovery log" '{"type":"header","mode":"full"}'$'\n'
refuses "no JSON" "line 2: is no JSON object" "$header"$'\nnonsense\n'
refuses "cut in a line" "line 2: is no JSON object" "$header"$'\n'"${owner:0:20}"
refuses "cut between lines" "has no summary" "$header"$'\n'"$owner"$'\n'
refuses "half an owner" "line 2: an owner line needs" "$header"$'\n{"type":"owner","class":"Node"}\n'"$summary"$'\n'

echo "$total checks, $failed failed"
((failed == 0))
