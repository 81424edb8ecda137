#!/usr/bin/env bash
# Open programs: each class of src is opened by its name.  A method or class ...Bad has a race that must be warned of
# once somebody else calls the class, each ...Ok has none.  What is known to be wrong stands in expected.txt, as FN_name
# (missed) or FP_name (false alarm).
set -euo pipefail
[[ $# -eq 1 && -x $1/race ]] || { echo "usage: run.sh BUILD_DIR" >&2; exit 64; }
race=$(cd "$1" && pwd)/race
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "FAILED: $*"
    exit 1
}

javac -nowarn -g -d "$work/c" "$here"/src/*.java
opened=()
while read -r class; do opened+=(--open "shop.$class"); done < <(
    for source in "$here"/src/*.java; do
        class=$(basename "$source" .java)
        [[ $class == Annotations ]] || echo "$class"
    done
    sed -n 's/^class \([A-Za-z]*\(Bad\|Ok\)\) .*/\1/p' "$here"/src/*.java
)
"$race" analyze -cp "$work/c" "${opened[@]}" --format json --quiet >"$work/report.json"
# A warning belongs to the methods and classes that run one of its accesses.
jq -r '.races[] | .accesses[] | (.thread.name // ""), (.stack[]? // "")' "$work/report.json" |
    grep -oE "[A-Za-z0-9]+(Bad|Ok)\b" | sort -u >"$work/warned" || true
grep -hoE "\b[A-Za-z0-9]+(Bad|Ok)(\(| \{)" "$here"/src/*.java | sed 's/[( {]*$//' | sort -u >"$work/tests"
comm -23 <(grep 'Bad$' "$work/tests") "$work/warned" | sed 's/^/FN_/' >"$work/wrong"
comm -12 <(grep 'Ok$' "$work/tests") "$work/warned" | sed 's/^/FP_/' >>"$work/wrong"
echo "Bad: $(grep -c 'Bad$' "$work/tests"), missed $(grep -c ^FN_ "$work/wrong" || true);" \
    "Ok: $(grep -c 'Ok$' "$work/tests"), false alarms $(grep -c ^FP_ "$work/wrong" || true)"
diff <(sort "$here/expected.txt") <(sort "$work/wrong") || fail "differs from expected.txt (< listed, > found)"

# A package: the public methods of its public classes, and what these inherit.
names() { jq -r '.races[].field' "$1" | sort -u | tr '\n' ' '; }
javac -nowarn -g -d "$work/p" "$here"/package/*.java "$here"/inner/*.java
"$race" analyze -cp "$work/p" --open desk --format json --quiet >"$work/p.json"
[[ $(names "$work/p.json") == "desk.Base.count desk.Desk.open " ]] || fail "--open desk: $(names "$work/p.json")"
# One without a public class is opened to its own code, and that is said.
"$race" analyze -cp "$work/p" --open drawer --format json >"$work/p.json" 2>"$work/notes"
[[ $(names "$work/p.json") == "drawer.Drawer.open " ]] || fail "--open drawer: $(names "$work/p.json")"
grep -q '^race: note: drawer has no public class' "$work/notes" || fail "no note that drawer has no public class"
# What is neither a package nor a class, or has nothing to call, is an error of one line.
for wrong in nosuch desk.Desk.open shop.Annotations; do
    code=0
    "$race" analyze -cp "$work/p:$work/c" --open "$wrong" --quiet >"$work/out" 2>&1 || code=$?
    [[ $code == 65 && $(wc -l <"$work/out") == 1 ]] || fail "--open $wrong: exit code $code"
done
