#!/usr/bin/env bash
# Hostile runs of the agent: JVMs that are killed or end in odd ways, full disks, wrong options, many threads, many
# classes, other agents.  No hang, no crash, and no difference that a program could see.
set -euo pipefail

usage() {
    cat >&2 <<'USAGE'
usage: run.sh [OPTION...] --agent LIB
  --jdk HOME      JDK to run with (default: the one of the java command)
  --only PATTERN  only the cases whose name matches this glob
  --soak          the long versions: a minute of hammering, 20,000 classes, 100 runs to their end
  --list          the names of the cases
USAGE
    exit 64
}

die() {
    echo "run.sh: $*" >&2
    exit 1
}

here=$(cd "$(dirname "$0")" && pwd)
jdk= agent= only='*' soak=0 list=0
while (($#)); do
    case $1 in
        --jdk) jdk=${2:?} && shift 2 ;;
        --agent) agent=$(readlink -f "${2:?}") && shift 2 ;;
        --only) only=${2:?} && shift 2 ;;
        --soak) soak=1 && shift ;;
        --list) list=1 && shift ;;
        *) usage ;;
    esac
done
if ((!list)); then
    [[ -n $agent ]] || usage
    [[ -f $agent ]] || die "$agent: no such agent library"
    command -v jq >/dev/null || die "jq is needed to read the result files"
fi
if [[ -z $jdk ]]; then
    java=$(readlink -f "$(command -v java)") || die "no java on the PATH; give --jdk"
    jdk=${java%/bin/java}
fi
version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$jdk/release")
[[ -n $version ]] || die "$jdk: cannot tell its version"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
classes=$work/classes

# --- Tools ---------------------------------------------------------------------------------------------------

# Each case runs in a subshell of its own; the first thing that is wrong ends it.  77 is for what cannot be run.
fail() {
    echo "    $*" >&2
    if [[ -s $work/err ]]; then tail -n 5 "$work/err" | sed 's/^/    stderr: /' >&2; fi
    exit 1
}

# run CODE JAVA_ARGS...: runs java in the work folder and demands this exit code; output in $work/out and $work/err.
run() {
    local wanted=$1 code=0
    shift
    (cd "$work" && exec timeout -k 5 "${limit:-60}" "$jdk/bin/java" -XX:-UsePerfData -cp "$classes" "$@") \
        >"$work/out" 2>"$work/err" </dev/null || code=$?
    if compgen -G "$work/hs_err*" >/dev/null; then fail "the JVM crashed: $(grep -m 1 '^#  SIG' "$work"/hs_err*)"; fi
    ((code == wanted)) || fail "exit code $code, not $wanted, of: ${*: -3}"
}

# under OPTIONS CODE JAVA_ARGS...: the same with the agent.
under() {
    local options=$1 code=$2
    shift 2
    rm -f "$work/r.jsonl"
    run "$code" "-agentpath:$agent=out=$work/r.jsonl${options:+,$options}" "$@"
}

races() {
    jq -Rr 'fromjson? | select(.type == "race" and .verdict == "confirmed") | .field' "$work/r.jsonl" | sort -u
}

said_ok() {
    grep -qx ok "$work/out" || fail "the program did not say ok: $(head -c 300 "$work/out")"
}

expect_race() {
    [[ $(races) == "$1" ]] || fail "confirmed races: $(races | paste -sd' '), not $1"
}

expect_summary() {
    [[ $(tail -n 1 "$work/r.jsonl" | jq -r .type) == summary ]] || fail "the result file has no summary at its end"
}

# --- Cases ---------------------------------------------------------------------------------------------------

# A JVM killed with SIGKILL keeps what it has found.
case_killed() {
    local pid i
    rm -f "$work/r.jsonl"
    "$jdk/bin/java" "-agentpath:$agent=out=$work/r.jsonl" -cp "$classes" Racy sleep >"$work/out" 2>"$work/err" &
    pid=$!
    for ((i = 0; i < 300; i++)); do
        grep -qs '"type":"race"' "$work/r.jsonl" && break
        sleep 0.1
    done
    kill -KILL $pid
    wait $pid 2>/dev/null || true
    expect_race Racy.counter
    [[ $(head -n 1 "$work/r.jsonl" | jq -r .type) == header ]] || fail "no header"
}

case_disk_full() {
    run 0 "-agentpath:$agent=out=/dev/full" Racy return
    said_ok
    [[ $(grep -c '^race: /dev/full: .*No space left' "$work/err") == 1 ]] || fail "the full disk was not told, once"
    grep -q 'DATA RACE' "$work/err" || fail "the race was not printed either"
}

# refused CODE OPTIONS: one line on stderr and nothing of the program.
refused() {
    run "$1" "-agentpath:$agent=$2" Racy return
    [[ ! -s $work/out ]] || fail "the program ran with $2"
    [[ $(wc -l <"$work/err") == 1 && $(cat "$work/err") == 'race: '* ]] || fail "not one clear line for $2"
}

case_options() {
    printf 'not a plan\n' >"$work/bad.plan"
    : >"$work/empty.plan"
    refused 64 nonsense=1
    refused 64 nonsense
    refused 64 exitcode=many
    refused 64 exitcode=-1
    refused 64 exitcode
    refused 64 confirm=perhaps
    refused 64 max_memory=lots
    refused 64 mode=odd
    refused 64 mode=field
    refused 64 mode=method
    refused 64 mode=combined
    refused 64 out=
    refused 65 "plan=$work/missing.plan"
    refused 65 "plan=$work/bad.plan"
    refused 65 "plan=$work/empty.plan"
    refused 65 "plan=$work"
    refused 1 "out=$work/missing/r.jsonl"
    run 0 "-agentpath:$agent=help" Racy return
    grep -q 'max_memory' "$work/out" || fail "help does not list the options"
}

case_exits() {
    under '' 0 Racy return && said_ok && expect_race Racy.counter && expect_summary
    under '' 3 Racy exit 3 && said_ok && expect_race Racy.counter && expect_summary
    under '' 4 Racy halt 4 && said_ok && expect_race Racy.counter && expect_summary
    under '' 1 Racy throw && said_ok && expect_race Racy.counter && expect_summary
    grep -q 'IllegalStateException: as asked' "$work/err" || fail "the exception was not printed"
    under '' 0 Racy daemons && said_ok && expect_race Racy.counter && expect_summary
    under '' 7 Racy exit-in-thread && said_ok && expect_race Racy.counter && expect_summary
    under '' 0 Racy hook && said_ok && expect_race Racy.counter && expect_summary
    grep -qx hook "$work/out" || fail "the shutdown hook did not run"
    under '' 9 Racy halt-in-hook && said_ok && expect_race Racy.counter && expect_summary
    under '' 0 Racy clean && said_ok && expect_race '' && expect_summary
}

case_exit_codes() {
    under exitcode=66 66 Racy return && said_ok
    under exitcode=66 0 Racy clean && said_ok
    under exitcode=66 3 Racy exit 3 && said_ok
    under exitcode=66 66 Racy exit 0 && said_ok
    under exitcode=66 66 Racy halt 0 && said_ok
    under exitcode=66 66 Racy daemons && said_ok
    under exitcode=66 1 Racy throw && said_ok
    under halt_on_error=on 66 Racy sleep
    expect_race Racy.counter
}

case_hammer() {
    local seconds=1
    ((!soak)) || seconds=60
    limit=$((seconds * 3 + 60)) under '' 0 Hammer race $seconds
    said_ok && expect_race Hammer.counter && expect_summary
    limit=$((seconds * 3 + 60)) under '' 0 Hammer lock $seconds
    said_ok && expect_race ''
}

# The metaspace holds some hundred copies of the class: they must be unloaded under the agent as well.
case_class_churn() {
    local n=2000
    ((!soak)) || n=20000
    limit=300 under '' 0 -Xmx128m -XX:MaxMetaspaceSize=64m Churn $n
    said_ok && expect_race '' && expect_summary
    [[ $(tail -n 1 "$work/r.jsonl" | jq -r .site_overflow) == 0 ]] || fail "the table of sites ran over"
}

case_virtual_threads() {
    ((version >= 21)) || exit 77
    limit=120 under '' 0 Virtual 10000
    said_ok && expect_race Virtual.racy && expect_summary
}

# More carriers than processors, all of them in the agent at once: with monitors in there, JDK 25 came to a stop each time.
case_carriers() {
    ((version >= 21)) || exit 77
    limit=60 under '' 0 -Djdk.virtualThreadScheduler.parallelism=8 Carriers 300
    said_ok && expect_race ''
}

# The VM finds a field by going through all of them, and so did the agent: of a thousand it then needed 27 s of CPU time, not 1.
# Here they are twice as many.
case_padding() {
    limit=60 under '' 0 Padded
    said_ok && expect_race ''
}

# Several fields of a class with one name; a program's class under two of the JDK that each have one of that name.
case_field_names() {
    mkdir -p "$work/twins"
    LC_ALL=C sed 's/twin[BC]/twinA/g' "$classes/Twins\$Box.class" >"$work/twins/Twins\$Box.class"
    LC_ALL=C sed 's/twin[BC]/twinA/g' "$classes/Twins.class" >"$work/twins/Twins.class"
    run 0 -cp "$work/twins" Twins twinA
    said_ok
    under '' 0 -cp "$work/twins" Twins twinA
    said_ok && expect_race ''
}

# Same output with and without the agent, the messages of exceptions included.
case_looks() {
    run 0 Looks
    cp "$work/out" "$work/plain"
    under '' 0 Looks
    said_ok
    diff "$work/plain" "$work/out" >"$work/diff" || fail "the program sees a difference: $(head -n 6 "$work/diff")"
    expect_race ''
}

case_second_agent() {
    local jar=$work/second.jar
    printf 'Premain-Class: Second\nCan-Retransform-Classes: true\nCan-Redefine-Classes: true\n' >"$work/manifest"
    "$jdk/bin/jar" cfm "$jar" "$work/manifest" -C "$classes" Second.class
    run 0 "-javaagent:$jar" Second
    mv "$work/out" "$work/plain"
    under '' 0 "-javaagent:$jar" Second
    said_ok
    diff "$work/plain" "$work/out" >/dev/null || fail "the program sees a difference: $(cat "$work/out")"
    grep -E 'Error|Exception' "$work/err" && fail "errors beside a second agent"
    expect_race ''
    under '' 0 "-javaagent:$jar" Racy return
    said_ok && expect_race Racy.counter
}

case_debugger() {
    under '' 0 -agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0 Racy return
    said_ok && expect_race Racy.counter && expect_summary
}

# The program's classes in a jar, which the JVM reads by other means than a folder.
case_jar() {
    "$jdk/bin/jar" cfe "$work/racy.jar" Racy -C "$classes" Racy.class
    under '' 0 -jar "$work/racy.jar" return
    said_ok && expect_race Racy.counter
}

# Other collectors move or reuse memory at other times.
case_collectors() {
    local gc
    for gc in Serial Parallel Z; do
        under '' 0 "-XX:+Use${gc}GC" -Xmx64m Churn 300
        said_ok && expect_race ''
        under '' 0 "-XX:+Use${gc}GC" Racy return
        said_ok && expect_race Racy.counter
    done
}

# The JVM takes the JDK's own classes on trust; here it verifies them as well, rewritten as they are.
case_verifier() {
    local trust_nothing=(-XX:+UnlockDiagnosticVMOptions -XX:+BytecodeVerificationLocal)
    under '' 0 "${trust_nothing[@]}" Looks
    said_ok
    under '' 0 "${trust_nothing[@]}" Racy hook
    said_ok && expect_race Racy.counter
    under '' 0 "${trust_nothing[@]}" -Xint -Xmx32m Churn 200
    said_ok && expect_race ''
}

# The JVM watches the agent's own calls of JNI.
case_jni() {
    under '' 0 -Xcheck:jni Looks
    said_ok
    ! grep -q 'native method: JNI' "$work/out" "$work/err" || fail "$(grep -m 1 -h -A 1 'native method: JNI' "$work/out" "$work/err")"
}

case_small_memory() {
    under max_memory=1m 0 Hammer race 1
    said_ok && expect_summary
    under max_memory=1m 0 Hammer lock 1
    said_ok && expect_race ''
}

# What is kept of arrays that go to and fro is used again, though the two threads that do so count it at the same time.
case_hand_over() {
    under '' 0 HandOver 1000000
    said_ok && expect_race ''
}

# Whatever the end, it comes: many runs, two at a time.
case_many_ends() {
    local n=6 ends=(return "exit 3" "halt 4" daemons exit-in-thread hook halt-in-hook)
    ((!soak)) || n=100
    export jdk agent classes work
    # shellcheck disable=SC2016 # expanded by the inner shell
    for ((i = 0; i < n; i++)); do echo "$i ${ends[i % ${#ends[@]}]}"; done |
        xargs -P 2 -L 1 bash -c '
            code=0
            timeout -k 5 60 "$jdk/bin/java" "-agentpath:$agent=out=$work/end$0.jsonl,report=off" -cp "$classes" Racy "$@" \
                >"$work/end$0.out" 2>&1 </dev/null || code=$?
            case "$*" in "exit 3") want=3 ;; "halt 4") want=4 ;; exit-in-thread) want=7 ;; halt-in-hook) want=9 ;; *) want=0 ;; esac
            [[ $code == "$want" ]] && grep -q "\"type\":\"summary\"" "$work/end$0.jsonl" ||
                echo "run $0 ($*): exit code $code"' >"$work/ends"
    [[ ! -s $work/ends ]] || fail "$(wc -l <"$work/ends") of $n runs: $(head -n 3 "$work/ends")"
}

# --- All -----------------------------------------------------------------------------------------------------

cases=$(declare -F | sed -n 's/^declare -f case_//p')
if ((list)); then
    echo "$cases"
    exit 0
fi
mkdir -p "$classes"
{
    echo 'class Padding {'
    printf '    byte b%d;\n' {1..2000}
    echo '}'
} >"$work/Padding.java"
sources=("$here"/programs/*.java "$work/Padding.java")
if ((version < 21)); then
    for i in "${!sources[@]}"; do [[ ${sources[i]} != */@(Virtual|Carriers).java ]] || unset "sources[i]"; done
fi
"$jdk/bin/javac" -nowarn -Xlint:none -d "$classes" "${sources[@]}" || die "javac failed"
passed=0 failed=0 skipped=0
for name in $cases; do
    # shellcheck disable=SC2053 # the right side is meant as a pattern
    [[ $name == $only ]] || continue
    rm -f "$work"/hs_err*
    SECONDS=0
    code=0
    ("case_$name") || code=$?
    case $code in
        0) passed=$((passed + 1)) && echo "passed $name ($SECONDS s)" ;;
        77) skipped=$((skipped + 1)) && echo "skipped $name: JDK $version is too old for it" ;;
        *) failed=$((failed + 1)) && echo "FAILED $name ($SECONDS s)" ;;
    esac
done
echo "$passed passed, $failed failed"
((passed + failed + skipped > 0)) || die "no case matches '$only'"
((failed == 0))
