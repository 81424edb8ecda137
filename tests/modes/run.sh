#!/usr/bin/env bash
# The same races in every mode: what full checking confirms, the modes that believe the plan confirm as well, and
# combined mode confirms nothing else.
#
# Each program is analysed once and run in every mode; a race is known by its fingerprint (location, methods, kinds of
# access).  Schedules differ, so what one mode showed and another did not is looked for again, with delays in just the
# methods of that race, before it counts: a race that full confirms and another mode never does is a mistake of the plan
# or of the agent's use of it.
set -euo pipefail

usage() {
    cat >&2 <<'USAGE'
usage: run.sh [OPTION...] BUILD_DIR
  --sets "S ..."     samples kernels real, or others of tests/lib/programs.sh (default: samples kernels)
  --only PATTERN     only the programs whose name matches this glob
  --runs N           runs of each program in full mode (default 2); the others stop as soon as they have shown the same
  --again N          further runs to look for what one mode lacks (default 6)
  --seconds N        how long each real program works (default 10)
  --short N          the same in every other one of the further runs: most that is rare is so because it happens at the
                     start (default: as long)
  --limit N          seconds that a run may take, or an analysis of processor time (default 120)
  --analyze OPTS     options of the analysis
  --jobs N           programs at once (default 2)
  --jdk HOME         JDK to compile, analyse and run with (default: the one of the java command)
  --work DIR         where classes, plans and results go (default: a folder under /tmp that is removed)
  --known FILE       for real programs, whose schedules nobody holds: a race is no difference if the mode that lacks it
                     met both accesses on one location and saw them ordered each time; nor if it checked both in one
                     run and full mode has runs without the race too; nor if only combined mode shows it and FILE
                     explains it
  --plans DIR        take DIR/NAME.plan instead of analysing, where an analysis has left one
  --damage "COMMAND" run on each plan, which it names PLAN, to see that this test finds what is wrong with it
USAGE
    exit 64
}

die() {
    echo "run.sh: $*" >&2
    exit 1
}

sets="samples kernels" only='*' runs=2 again=6 seconds=10 short= limit=120 analyze= jobs=2 jdk= work= known= plans= damage= build=
while (($#)); do
    case $1 in
        --sets) sets=${2:?} && shift 2 ;;
        --only) only=${2:?} && shift 2 ;;
        --runs) runs=${2:?} && shift 2 ;;
        --again) again=${2:?} && shift 2 ;;
        --seconds) seconds=${2:?} && shift 2 ;;
        --short) short=${2:?} && shift 2 ;;
        --limit) limit=${2:?} && shift 2 ;;
        --analyze) analyze=${2?} && shift 2 ;;
        --jobs) jobs=${2:?} && shift 2 ;;
        --jdk) jdk=${2:?} && shift 2 ;;
        --work) work=${2:?} && shift 2 ;;
        --known) known=$(realpath "${2:?}") && shift 2 ;;
        --plans) plans=$(realpath "${2:?}") && shift 2 ;;
        --damage) damage=${2:?} && shift 2 ;;
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
mkdir -p "$work/out"
work=$(cd "$work" && pwd)
. "$tests/lib/programs.sh"
. "$tests/lib/halves.sh"

# once MODE TURN [AIM]: one run of the program at hand; those after the first have delays, which bring races out.
once() {
    local mode=$1 turn=$2 code=0 option=()
    ((turn == 1)) || option=(--confirm ${3:+--aim "$3"})
    mkdir -p "$log.dir"
    # shellcheck disable=SC2086 # the arguments are words
    (cd "$log.dir" && exec timeout -k 5 "$limit" "$build/race" run --plan "$log.plan" --mode "$mode" "${option[@]}" --report off \
        --exitcode 0 -o "$log.$mode.$turn.jsonl" -- "$jdk/bin/java" -Xss2m -cp "$cp" "$main" $args) >"$log.out" 2>&1 </dev/null || code=$?
    rm -rf "$log.dir"
    if ((code == 124 || code == 137)); then echo "$name: mode $mode: stopped after $limit s" >>"$log.cut"; fi
    [[ -s $log.$mode.$turn.jsonl ]] || echo "$name: mode $mode: no result: $(tail -n 1 "$log.out")" >>"$log.broken"
}

# judge MODE: of all its runs, in LOG.MODE lines "FINGERPRINT KIND FIELD: ACCESS / ACCESS" of the confirmed races, one for
# each fingerprint, and in LOG.MODE.met the fingerprints of those that met, but were ordered each time.
judge() {
    judged_races confirmed predicted ordered -- "$log.plan" "$log.$1".*.jsonl >"$log.$1.json" 2>"$log.err" ||
        echo "$name: report: $(tail -n 1 "$log.err")" >>"$log.broken"
    jq -r 'select(.verdict == "confirmed") | "\(.fingerprint) \(.kind) \(.field): " +
        ([.accesses[] | "\(.access) \(.class).\(.method):\(.line)"] | join(" / "))' "$log.$1.json" | sort -u -k1,1 >"$log.$1"
    jq -r 'select(.verdict != "confirmed") | .fingerprint' "$log.$1.json" | sort -u >"$log.$1.met"
}

# lacks MODE OTHER: the races that OTHER has and MODE has not.
lacks() {
    join -v 1 "$log.$2" "$log.$1"
}

# look MODE OTHER: runs MODE until it has all that OTHER has, or for long enough.
look() {
    local turn lacking long=$args args
    for ((turn = ran[$1] + 1; turn <= ran[$1] + again; turn++)); do
        lacking=$(lacks "$1" "$2" | unmet "$1")
        [[ -n $lacking ]] || return 0
        args=$long
        ((turn % 2)) || args=${short:-$long}
        once "$1" "$turn" "$(methods <<<"$lacking")"
        judge "$1"
    done
}

# The methods of the races of stdin, as a list for --aim.
methods() {
    sed -E 's|.*: [a-z]+ ([^ ]+):-?[0-9]+ / [a-z]+ ([^ ]+):-?[0-9]+$|\1\n\2|' | sort -u | paste -sd ';'
}

# The lines of stdin, races that mode $1 lacks, without those that it met and always saw ordered: it watches both sides.
unmet() {
    [[ -n $known ]] || { cat && return; }
    join -v 1 - "$log.$1.met"
}

# The lines of stdin, races that mode $1 lacks, without the rare ones of which the mode checked both accesses in one run:
# that they did not meet there is the schedule's doing, as it is in the runs of full mode that lack them.
unwatched() {
    [[ -n $known ]] || { cat && return; }
    cat >"$log.left"
    join -v 1 "$log.left" "$log.always" | cut -d ' ' -f 1 >"$log.asked"
    : >"$log.watched"
    if [[ -s $log.asked ]]; then
        judged_races confirmed predicted ordered apart -- "$log.plan" "$log.$1".*.jsonl | grep -F '"verdict":"apart"' |
            grep -F -f "$log.asked" | jq -r .fingerprint | sort -u >"$log.watched" || true
    fi
    join -v 1 "$log.left" "$log.watched"
}

# The lines of stdin, races as judge() writes them, that the file of known races does not explain.
unexplained() {
    local race kind field first second
    [[ -n $known ]] || { cat && return; }
    while read -r race; do
        # shellcheck disable=SC2034 # the words between are of no use
        read -r _ kind field _ first _ _ second <<<"$race"
        is_known "$known" "$name" "$kind" "${field%:}" "$(simple "$first")" "$(simple "$second")" || echo "$race"
    done
}

# The class without its package, and the method.
simple() {
    sed -E 's/:-?[0-9]+$//; s/.*\.([^.]+\.[^.]+)$/\1/' <<<"$1"
}

# Leaves in LOG.always the fingerprints of the races that each run of full mode shows.
note_always() {
    jq -r --argjson runs "${ran[full]}" 'select(.verdict == "confirmed" and .runs >= $runs) | .fingerprint' "$log.full.json" |
        sort -u >"$log.always"
}

# Leaves NAME.differ (a line for each race that is not the same), NAME.broken (a reason) or NAME.fine.
same_races() {
    local name cp main args log mode turn
    local -A ran=([full]=$runs [field]=1 [method]=1 [combined]=1)
    IFS='|' read -r name cp main args <<<"$1"
    log=$work/out/$name
    if [[ -n $plans && $plans/$name.plan -nt $build/race ]]; then
        cp "$plans/$name.plan" "$log.plan"
    else
        # shellcheck disable=SC2086 # the options are words
        analyse "$name" "$cp" "$main" "$log" $analyze
    fi
    # shellcheck disable=SC2086 # the command is words
    [[ -z $damage || -e $log.broken ]] || ${damage/PLAN/$log.plan} 2>"$log.err" ||
        echo "$name: $(tail -n 1 "$log.err")" >"$log.broken"
    for mode in full field method combined; do
        [[ ! -e $log.broken ]] || return 0
        for ((turn = 1; turn <= ran[$mode]; turn++)); do once "$mode" "$turn"; done
        [[ ! -e $log.broken ]] || return 0
        judge "$mode"
    done
    note_always
    look full combined
    for mode in field method combined; do
        look "$mode" full
        lacks "$mode" full >"$log.lacks"
        unmet "$mode" <"$log.lacks" >"$log.unmet"
        unwatched "$mode" <"$log.unmet" >"$log.unwatched"
        sed "s/^[^ ]* /$name: not in mode $mode: /" "$log.unwatched" >>"$log.differ"
        join -v 1 "$log.lacks" "$log.unmet" | sed "s/^[^ ]* /$name: met in mode $mode, ordered each time: /" >>"$log.ordered"
        join -v 1 "$log.unmet" "$log.unwatched" | sed "s/^[^ ]* /$name: rare, checked in mode $mode: /" >>"$log.ordered"
    done
    lacks full combined | unmet full | unexplained | sed "s/^[^ ]* /$name: only in mode combined: /" >>"$log.differ"
    wc -l <"$log.full" >"$log.count"
    [[ -s $log.differ || -e $log.broken ]] || { rm "$log.differ" && : >"$log.fine"; }
}

# shellcheck disable=SC2086 # the sets are words
rows $sets >"$work/rows" || usage
[[ -s $work/rows ]] || die "no program matches '$only'"
export work build jdk limit runs again short analyze known plans damage
export -f judged_races is_known unmet unexplained simple same_races analyse once judge lacks look methods unwatched note_always
tr '\n' '\0' <"$work/rows" | xargs -0 -P "$jobs" -I{} bash -c 'same_races "$1"' bash {}

cat "$work"/out/*.cut 2>/dev/null || true
for f in "$work"/out/*.broken; do [[ ! -e $f ]] || sed 's/^/BROKEN /' "$f"; done
cat "$work"/out/*.ordered 2>/dev/null || true
for f in "$work"/out/*.differ; do [[ ! -e $f ]] || sed 's/^/DIFFERS /' "$f"; done
total=$(wc -l <"$work/rows") fine=$(find "$work/out" -name '*.fine' | wc -l)
races=$(cat "$work"/out/*.count 2>/dev/null | awk '{ n += $1 } END { print n + 0 }')
echo "$total programs, $races races in full mode; $fine with the same ones in every mode"
# No race at all would mean that the runs showed nothing, and then the test means nothing.
((races > 0)) || die "no race was confirmed anywhere"
((fine == total))
