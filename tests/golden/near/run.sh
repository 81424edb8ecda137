#!/usr/bin/env bash
# Races one step away from a proof: each class nested in a program here has one, and the analysis must warn of it.
set -euo pipefail
[[ $# -eq 1 && -x $1/race ]] || { echo "usage: run.sh BUILD_DIR" >&2; exit 64; }
race=$(cd "$1" && pwd)/race
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

failed=0
for source in "$here"/*.java; do
    name=$(basename "$source" .java)
    javac -nowarn -g -d "$work/$name" "$source"
    "$race" analyze -cp "$work/$name" -m "$name" --benign-off all --format json --quiet >"$work/report.json"
    sed -n 's/^    static class \([A-Za-z]*\) .*/\1/p' "$source" | sort >"$work/wanted"
    jq -r --arg outer "$name\$" '.races[].accesses[].class | select(startswith($outer)) | split("$")[1]' \
        "$work/report.json" | sort -u >"$work/found"
    missed=$(comm -23 "$work/wanted" "$work/found")
    echo "$name: $(wc -l <"$work/wanted") races, missed: ${missed:-none}"
    [[ -s $work/wanted && -z $missed ]] || failed=1
done
exit $failed
