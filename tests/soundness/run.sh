#!/usr/bin/env bash
# Both halves check each other: every race that full checking confirms in a run must be a warning of the analysis.
#
# Each program is analysed, then run with everything checked, and the two are joined in a report.  A confirmed race
# marked "static": false there is a miss of the static half, and a failure.  So is a program that cannot be analysed.
set -euo pipefail

usage() {
    cat >&2 <<'USAGE'
usage: run.sh [OPTION...] BUILD_DIR
  --sets "S ..."     endtoend samples kernels badok golden random real (default: all but the last two)
  --seeds "A B"      seeds of the random programs, from A to B (default "1 20")
  --only PATTERN     only the programs whose name matches this glob
  --runs N           runs of each program, all in one report (default 1)
  --seconds N        how long each real program works (default 10)
  --limit N          seconds that a run may take, or an analysis of processor time (default 120)
  --jobs N           programs at once (default 2)
  --jdk HOME         JDK to compile, analyse and run with (default: the one of the java command)
  --work DIR         where classes, plans and results go (default: a folder under /tmp that is removed)
USAGE
    exit 64
}

die() {
    echo "run.sh: $*" >&2
    exit 1
}

sets="endtoend samples kernels badok golden" seeds="1 20" only='*' runs=1 seconds=10 limit=120 jobs=2 jdk= work= build=
while (($#)); do
    case $1 in
        --sets) sets=${2:?} && shift 2 ;;
        --seeds) seeds=${2:?} && shift 2 ;;
        --only) only=${2:?} && shift 2 ;;
        --runs) runs=${2:?} && shift 2 ;;
        --seconds) seconds=${2:?} && shift 2 ;;
        --limit) limit=${2:?} && shift 2 ;;
        --jobs) jobs=${2:?} && shift 2 ;;
        --jdk) jdk=${2:?} && shift 2 ;;
        --work) work=${2:?} && shift 2 ;;
        -*) usage ;;
        *) [[ -z $build ]] || usage
           build=$1 && shift ;;
    esac
done
[[ -n $build && -x $build/race ]] || usage
build=$(cd "$build" && pwd)
command -v jq >/dev/null || die "jq is needed to read the reports"
if [[ -z $jdk ]]; then
    java=$(readlink -f "$(command -v java)") || die "no java on the PATH; give --jdk"
    jdk=${java%/bin/java}
fi
[[ -x $jdk/bin/javac ]] || die "$jdk: no JDK there (bin/javac is missing)"
version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$jdk/release")
tests=$(cd "$(dirname "$0")/.." && pwd)
if [[ -z $work ]]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi
rm -rf "$work/out" "$work"/*.sources
mkdir -p "$work/classes" "$work/out"
work=$(cd "$work" && pwd)

. "$tests/lib/programs.sh"
. "$tests/lib/halves.sh"

# ---- one program ----

# not_warned_of NAME REPORT: a line for each race that the analysis did not warn of and known-missed.txt does not explain.
not_warned_of() {
    local race text
    jq -r 'select(.static == false) | "\(.kind) \(.field) " +
        ([.accesses[] | "\(.class | sub(".*[.]"; "")).\(.method)"] | join(" ")) + "\t" +
        ([.accesses[] | "\(.access) \(.class).\(.method):\(.line)"] | join(" / "))' "$2" |
        while IFS=$'\t' read -r race text; do
            # shellcheck disable=SC2086 # a race is four words
            is_known "$known" "$1" $race || echo "$1: ${race% * *}: $text"
        done
}

# Leaves NAME.missed (with a line for each race that was not warned of), NAME.broken (a reason) or NAME.fine.
both_halves() {
    local name cp main args log code=0 results=() turn
    IFS='|' read -r name cp main args <<<"$1"
    log=$work/out/$name
    mkdir -p "$log.dir"
    analyse "$name" "$cp" "$main" "$log"
    [[ ! -e $log.broken ]] || return 0
    for ((turn = 1; turn <= runs; turn++)); do
        code=0
        # shellcheck disable=SC2086 # the arguments are words
        (cd "$log.dir" && exec timeout -k 5 "$limit" "$build/race" run --mode full --confirm --report off --exitcode 0 \
            -o "$log.$turn.jsonl" -- "$jdk/bin/java" -Xss2m -cp "$cp" "$main" $args) >"$log.$turn.out" 2>&1 </dev/null || code=$?
        # What the program itself ends with is no matter here, but a run that was cut short shows less than it could.
        ((code != 124 && code != 137)) || echo "$name: stopped after $limit s; what it confirmed until then counts" >"$log.cut"
        [[ -s $log.$turn.jsonl ]] || { echo "$name: run: no result: $(tail -n 1 "$log.$turn.out")" >"$log.broken"; return; }
        results+=("$log.$turn.jsonl")
    done
    rm -rf "$log.dir"
    judged_races confirmed -- "$log.plan" "${results[@]}" >"$log.json" 2>"$log.err" ||
        { echo "$name: report: $(tail -n 1 "$log.err")" >"$log.broken"; return; }
    not_warned_of "$name" "$log.json" | sort -u >"$log.missed"
    wc -l <"$log.json" >"$log.count"
    [[ -s $log.missed ]] || { rm "$log.missed" && : >"$log.fine"; }
}

rows $sets >"$work/rows" || usage
[[ -s $work/rows ]] || die "no program matches '$only'"
known=$tests/soundness/known-missed.txt
export work build jdk limit runs known
export -f both_halves not_warned_of is_known analyse judged_races
tr '\n' '\0' <"$work/rows" | xargs -0 -P "$jobs" -I{} bash -c 'both_halves "$1"' bash {}

cat "$work"/out/*.cut 2>/dev/null || true
for f in "$work"/out/*.broken; do [[ ! -e $f ]] || sed 's/^/BROKEN /' "$f"; done
for f in "$work"/out/*.missed; do [[ ! -e $f ]] || sed 's/^/MISSED /' "$f"; done
count() { find "$work/out" -name "$1" | wc -l; }
total=$(wc -l <"$work/rows") fine=$(count '*.fine') missed=$(count '*.missed') broken=$(count '*.broken')
confirmed=$(cat "$work"/out/*.count 2>/dev/null | awk '{ n += $1 } END { print n + 0 }')
echo "$total programs, $confirmed confirmed races; $fine with every one of them warned of, $missed with a miss, $broken broken"
# No race at all would mean that the runs showed nothing, and then the test means nothing.
((confirmed > 0)) || die "no race was confirmed anywhere"
((fine == total))
