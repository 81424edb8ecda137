#!/usr/bin/env bash
# Races one step away from a proof: each class nested in NearProofs has one, and the analysis must warn of it.
set -euo pipefail
[[ $# -eq 1 && -x $1/race ]] || { echo "usage: run.sh BUILD_DIR" >&2; exit 64; }
race=$(cd "$1" && pwd)/race
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
javac -nowarn -g -d "$work" "$here/NearProofs.java"
"$race" analyze -cp "$work" -m NearProofs --benign-off all --format json --quiet >"$work/report.json"
sed -n 's/^    static class \([A-Za-z]*\) .*/\1/p' "$here/NearProofs.java" | sort >"$work/wanted"
jq -r '.races[].accesses[].class | select(startswith("NearProofs$")) | split("$")[1]' "$work/report.json" | sort -u >"$work/found"
missed=$(comm -23 "$work/wanted" "$work/found")
echo "$(wc -l <"$work/wanted") races, missed: ${missed:-none}"
[[ -s $work/wanted && -z $missed ]]
