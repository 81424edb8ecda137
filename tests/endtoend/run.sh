#!/usr/bin/env bash
# Runs the end-to-end programs under the agent and compares the confirmed races with what each program announces.
#
# A program says in its leading comments what must be found in every run:
#   // race: KIND FIELD   must be among the confirmed races
#   // may: KIND FIELD    is a race too, but one that a sound checker may leave unreported
#   // norace             nothing may be confirmed
#   // min-jdk: N         (first line) needs JDK N
# Any other confirmed race is a failure, and so is another output than "ok", an exit code other than 0, an exception
# on stderr, or a result file without its header or summary.
set -euo pipefail

usage() {
    cat >&2 <<'USAGE'
usage: run.sh [OPTION...] BUILD_DIR
  --jdk HOME         JDK to compile and run with (default: the one of the java command)
  --agent LIB        agent library (default: librace.so found in BUILD_DIR)
  --repeat N         runs of each program (default 1)
  --mode-opts OPTS   further agent options, "key=value,key=value"
  --modes "M ..."    analyse each program with BUILD_DIR/race first, and run it with that plan in each of these modes
  --only PATTERN     only the programs whose name matches this glob, e.g. 'Atomic*_race'
  --jobs N           programs that run at once (default 2)
  --plain            without the agent: checks only output and exit code of the programs themselves
USAGE
    exit 64
}

die() {
    echo "run.sh: $*" >&2
    exit 1
}

jdk= agent= repeat=1 mode_opts= modes= only='*' jobs=2 plain=0 build=
while (($#)); do
    case $1 in
        --jdk) jdk=${2:?} && shift 2 ;;
        --agent) agent=${2:?} && shift 2 ;;
        --repeat) repeat=${2:?} && shift 2 ;;
        --mode-opts) mode_opts=${2?} && shift 2 ;;
        --modes) modes=${2:?} && shift 2 ;;
        --only) only=${2:?} && shift 2 ;;
        --jobs) jobs=${2:?} && shift 2 ;;
        --plain) plain=1 && shift ;;
        -*) usage ;;
        *) [[ -z $build ]] || usage
           build=$1 && shift ;;
    esac
done
[[ -n $build && -d $build ]] || usage
build=$(cd "$build" && pwd)

if [[ -z $jdk ]]; then
    java=$(readlink -f "$(command -v java)") || die "no java on the PATH; give --jdk"
    jdk=${java%/bin/java}
fi
[[ -x $jdk/bin/javac ]] || die "$jdk: no JDK there (bin/javac is missing)"
version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$jdk/release")
[[ -n $version ]] || die "$jdk: cannot tell its version (no JAVA_VERSION in its release file)"
if ((!plain)); then
    command -v jq >/dev/null || die "jq is needed to read the result files"
    [[ -n $agent ]] || agent=$(find "$build" -name librace.so -type f -print -quit)
    [[ -f $agent ]] || die "${agent:-librace.so}: no such agent library; build it or give --agent"
    agent=$(readlink -f "$agent")
fi

programs=$(cd "$(dirname "$0")/programs" && pwd)
work=$build/endtoend/jdk$version
classes=$work/classes
logs=$work/logs

# One javac call for everything that runs on JDK 17, one more for the programs that need a newer one.
compile() {
    local stamp=$work/compiled sources=() newer=() f need
    # The list of names tells of removed programs, whose classes must not stay behind.
    if [[ -f $stamp && $(ls "$programs") == "$(cat "$stamp")" ]] &&
        [[ -z $(find "$programs" -newer "$stamp" -name '*.java' -print -quit) ]]; then
        return
    fi
    rm -rf "$classes" "$stamp"
    mkdir -p "$classes"
    for f in "$programs"/*.java; do
        need=$(sed -n '1s/^\/\/ min-jdk: //p' "$f")
        if [[ -z $need ]]; then
            sources+=("$f")
        elif ((version >= need)); then
            newer+=("$f")
        fi
    done
    "$jdk/bin/javac" --release 17 -nowarn -d "$classes" "${sources[@]}" || die "javac failed"
    if ((${#newer[@]})); then
        "$jdk/bin/javac" --release 21 -nowarn -d "$classes" "${newer[@]}" || die "javac failed"
    fi
    ls "$programs" >"$stamp"
}

# A mistyped announcement would quietly weaken its test.
check_announcements() {
    local f
    for f in "$programs"/*.java; do
        case $f in
            *_norace.java) grep -qx '// norace' "$f" && ! grep -q '^// \(race\|may\):' "$f" ;;
            *_race.java) grep -qE '^// race: (instance|static|array|container) [^ ]+$' "$f" ;;
            *) false ;;
        esac || die "$f: its name and its first comments do not agree on what is to be found"
    done
}

# Names of the selected programs that this JDK can run, one per line; what it cannot run is said on stderr.
select_programs() {
    local f name need skipped=()
    for f in "$programs"/*.java; do
        name=$(basename "$f" .java)
        # shellcheck disable=SC2053 # the right side is meant as a pattern
        [[ $name == $only ]] || continue
        need=$(sed -n '1s/^\/\/ min-jdk: //p' "$f")
        if [[ -n $need ]] && ((version < need)); then
            skipped+=("$name")
        else
            echo "$name"
        fi
    done
    if ((${#skipped[@]})); then
        echo "not run on JDK $version, which is too old for them: ${skipped[*]}" >&2
    fi
}

# Compares the result file $2 with the announcement in source $1; prints what is wrong, or nothing.
check_races() {
    local source=$1 result=$2 found wanted allowed missing extra
    [[ -s $result ]] || { echo "no result file"; return; }
    # One jq pass; a line that is no JSON comes out as "bad", which no announcement contains.
    found=$(jq -Rr '(fromjson? // {type: "bad"})
        | if .type == "race" then select(.verdict == "confirmed") | "race \(.kind) \(.field)"
          elif .type == "header" or .type == "summary" or .type == "bad" then .type
          else empty end' "$result")
    [[ $(head -n 1 <<<"$found") == header ]] || { echo "result file has no header line first"; return; }
    [[ $(tail -n 1 <<<"$found") == summary ]] || { echo "result file has no summary at its end"; return; }
    ! grep -qx bad <<<"$found" || { echo "result file has a line that is not JSON"; return; }
    found=$(sed -n 's/^race //p' <<<"$found" | sort -u)
    wanted=$(sed -n 's/^\/\/ race: //p' "$source" | sort -u)
    allowed=$(sed -n 's/^\/\/ \(race\|may\): //p' "$source" | sort -u)
    missing=$(comm -23 <(echo "$wanted") <(echo "$found") | grep . | paste -sd, || true)
    extra=$(comm -13 <(echo "$allowed") <(echo "$found") | grep . | paste -sd, || true)
    if [[ -n $missing ]]; then echo "missed: $missing"; fi
    if [[ -n $extra ]]; then echo "unexpected: $extra"; fi
}

# The plan of program $1, made when it is first asked for; analysing exits with 66 where it warns.
plan_of() {
    local plan=$logs/$1.plan code=0
    [[ -f $plan ]] || "$race" analyze --jdk "$jdk" -cp "$classes" -m "$1" -o "$plan" --quiet >"$plan.log" 2>&1 || code=$?
    [[ -f $plan ]] || echo "analyze failed with exit code $code" >>"$plan.log"
    echo "$plan"
}

# Runs program $1 for the $2-th time, in mode $3 of its plan if that is given; leaves its verdict in a file and
# reports a failure on stdout.
run_one() {
    local name=$1 turn=$2 mode=${3:-} log=$logs/$1.$2${3:+.$3} code=0 why=
    local option=(-XX:-UsePerfData) # whose file is named by the pid: a JVM of another container may have it, which is told on stdout
    ((plain)) || option+=("-agentpath:$agent=out=$log.jsonl${mode:+,mode=$mode,plan=$(plan_of "$name")}${mode_opts:+,$mode_opts}")
    timeout -k 5 60 "$jdk/bin/java" "${option[@]}" -cp "$classes" "$name" >"$log.out" 2>"$log.err" </dev/null || code=$?
    if ((code == 124 || code == 137)); then
        why="timed out after 60 s"
    elif ((code != 0)); then
        why="exit code $code"
    elif [[ $(cat "$log.out") != ok ]]; then
        why="output is not 'ok'"
    elif grep -q '^Exception in thread' "$log.err"; then
        why="a thread died: $(grep -m 1 '^Exception in thread' "$log.err")"
    elif ((!plain)); then
        why=$(check_races "$programs/$name.java" "$log.jsonl" | paste -sd' ')
    fi
    if [[ -n $why ]]; then
        echo "FAIL $name (JDK $version, run $turn${mode:+, mode $mode}): $why; see $log.*"
        echo "$why" >"$log.failed"
    else
        : >"$log.passed"
    fi
}

check_announcements
mkdir -p "$work"
compile
rm -rf "$logs"
mkdir -p "$logs"
names=$(select_programs)
[[ -n $names ]] || die "no program matches '$only'"

race=$build/race
[[ -z $modes || -x $race ]] || die "$race: build the race command, it makes the plans"
export jdk version agent mode_opts plain programs classes logs modes race
export -f run_one check_races plan_of
# One job is all runs of a program, so that no plan is made twice.  Where all is proved, the modes are one and the same.
run_program() {
    local turn mode turns=0
    for mode in ${modes:-none}; do
        if ((turns)) && grep -qx $'meta\tuntyped_methods\t0' "$logs/$1.plan"; then
            for ((turn = 1; turn <= turns; turn++)); do : >"$logs/$1.$turn.$mode.same"; done
            continue
        fi
        for ((turn = 1; turn <= repeat; turn++)); do run_one "$1" "$turn" "${mode#none}"; done
        [[ -z $modes ]] || turns=$repeat
    done
}
export repeat
export -f run_program
xargs -P "$jobs" -L 1 bash -c 'run_program "$0"' <<<"$names"

passed=$(find "$logs" -name '*.passed' | wc -l)
failed=$(find "$logs" -name '*.failed' | wc -l)
same=$(find "$logs" -name '*.same' | wc -l)
read -ra each <<<"${modes:-full}"
expected=$(($(wc -l <<<"$names") * repeat * ${#each[@]}))
((!same)) || echo "$same runs left out: with nothing to check, one mode is as good as another"
echo "$passed passed, $failed failed"
# A run that left no verdict at all must not pass for a success.
((passed + failed + same == expected)) || die "$((expected - passed - failed - same)) runs left no verdict"
((failed == 0))
