#!/usr/bin/env bash
# The Bad/Ok suite: each method ...Bad has a race that must be warned of, each ...Ok has none.
#
# A warning belongs to the method that starts one of its threads or runs one of its accesses.  What is known to
# be wrong stays in the suite: expected.txt lists it as FN_name (missed) or FP_name (false alarm); a name that is
# listed but right now, or wrong but not listed, is a failure.
set -euo pipefail
[[ $# -eq 1 && -x $1/race ]] || { echo "usage: run.sh BUILD_DIR" >&2; exit 64; }
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
command -v jq >/dev/null || { echo "run.sh: jq is needed" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for source in "$here"/*.java; do
    suite=$(basename "$source" .java)
    mkdir -p "$work/$suite"
    javac -nowarn -g -d "$work/$suite" "$source"
    "$build/race" analyze -cp "$work/$suite" -m "$suite" --benign-off all --format json --quiet >"$work/$suite.json"
    jq -r '.races[] | .accesses[] | (.thread.name // ""), (.stack[]? // "")' "$work/$suite.json" |
        grep -oE "[A-Za-z0-9]+(Bad|Ok)\b" | sed 's/^lambda\$//' | sort -u >"$work/$suite.warned" || true
    grep -oE "static void [A-Za-z0-9]+(Bad|Ok)\(" "$source" | sed 's/static void //; s/($//' | sort -u >"$work/$suite.tests"
done

sort -u "$work"/*.tests >"$work/tests"
sort -u "$work"/*.warned >"$work/warned"
bad=$(grep -c 'Bad$' "$work/tests") ok=$(grep -c 'Ok$' "$work/tests")
comm -23 <(grep 'Bad$' "$work/tests") "$work/warned" | sed 's/^/FN_/' >"$work/wrong"
comm -12 <(grep 'Ok$' "$work/tests") "$work/warned" | sed 's/^/FP_/' >>"$work/wrong"
sort -o "$work/wrong" "$work/wrong"
fn=$(grep -c ^FN_ "$work/wrong" || true) fp=$(grep -c ^FP_ "$work/wrong" || true)
echo "Bad: $bad, missed $fn ($((fn * 100 / bad))%); Ok: $ok, false alarms $fp ($((fp * 100 / ok))%)"
if ! diff <(sort "$here/expected.txt") "$work/wrong" >"$work/diff"; then
    echo "differs from expected.txt (< listed, > found):"
    grep '^[<>]' "$work/diff"
    exit 1
fi
