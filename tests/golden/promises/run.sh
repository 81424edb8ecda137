#!/usr/bin/env bash
# Annotations: which promises are not kept, in every format, and which are believed; --open-annotated.
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

javac -nowarn -g -d "$work/p" "$here/Promises.java"
"$race" analyze -cp "$work/p" -m Promises -o "$work/p.plan" --quiet --format json >"$work/p.json"
jq -r '.promises[] | "@\(.annotation) \(.location): \(.access) in \(.class).\(.method):\(.line): \(.text)"' "$work/p.json" |
    sort >"$work/found"
diff "$here/expected.txt" "$work/found" || fail "the promises differ (< expected, > found)"
n=$(wc -l <"$here/expected.txt")

# A guard that is not understood is not passed over in silence.
javac -nowarn -g -d "$work/u" "$here/Unchecked.java"
"$race" analyze -cp "$work/u" -m Unchecked 2>"$work/notes" >/dev/null
diff - "$work/notes" <<'NOTES' || fail "the notes differ (< expected, > found)"
race: note: @GuardedBy("changing") of Unchecked.a is not checked: no field of that name keeps its value
race: note: @GuardedBy("lock()") of Unchecked.b is not checked: it is a method call
race: note: @GuardedBy("missing") of Unchecked.change is not checked: no field of that name keeps its value
NOTES

# Every format tells of each of them.
form() { "$race" analyze -cp "$work/p" -m Promises --quiet --format "$1" ${2:+--fail-on "$2"}; }
form text >"$work/p.txt" || fail "exit code without --fail-on"
[[ $(grep -c '^NOT KEPT ' "$work/p.txt") == "$n" ]] || fail "text"
form sarif >"$work/p.sarif"
[[ $(jq '[.runs[0].results[] | select(.ruleId == "race/promise")] | length' "$work/p.sarif") == "$n" ]] || fail "sarif"
jq -e '.runs[0] | .tool.driver.rules as $rules | all(.results[]; $rules[.ruleIndex].id == .ruleId)' "$work/p.sarif" >/dev/null || fail "sarif rules"
[[ $(form github | grep -c '^::warning .*title=@') == "$n" ]] || fail "github"
form junit >"$work/p.xml"
xmllint --noout "$work/p.xml" || fail "junit is no XML"
[[ $(grep -c '<testcase [^>]*name="@' "$work/p.xml") == "$n" ]] || fail "junit"
[[ $(form html | grep -o '"annotation":' | wc -l) == "$n" ]] || fail "html"
# They fail a build only when everything does.
code=0
form text any >/dev/null || code=$?
[[ $code == 66 ]] || fail "exit code with --fail-on any"
# A suppression covers them, too.
echo 'race:Account*' >"$work/supp"
[[ $("$race" analyze -cp "$work/p" -m Promises --quiet --suppress "$work/supp" | grep -c '^NOT KEPT ') == 1 ]] || fail "suppressions"

# Believed: @LazyInit and @ThreadConfined hide warnings; without the belief they are there.
shown() { jq -r '.races[].field' "$1" | sort -u; }
! shown "$work/p.json" | grep -qxE 'Point.hash|Ui.clicks' || fail "a race that an annotation accepts is shown"
shown "$work/p.json" | grep -qx 'Ui.plain' || fail "a race was lost"
"$race" analyze -cp "$work/p" -m Promises --quiet --format json --benign-off all >"$work/all.json"
[[ $(shown "$work/all.json" | grep -cxE 'Point.hash|Ui.clicks') == 2 ]] || fail "--benign-off all"

# @ThreadSafe classes are opened, @NotThreadSafe ones are not.
javac -nowarn -g -d "$work/o" "$here"/open/*.java
"$race" analyze -cp "$work/o" --open-annotated --quiet --format json >"$work/o.json"
[[ $(shown "$work/o.json") == open.Shared.n ]] || fail "--open-annotated"
"$race" analyze -cp "$work/o" --open open --quiet --format json >"$work/o.json"
[[ $(shown "$work/o.json") == $'open.Plain.n\nopen.Shared.n' ]] || fail "--open of a package"
code=0
"$race" analyze -cp "$work/p" --open-annotated --quiet >"$work/out" 2>&1 || code=$?
[[ $code == 65 && $(wc -l <"$work/out") == 1 ]] || fail "--open-annotated without such a class: $code"
echo "$n promises not kept, as expected, in every format"
