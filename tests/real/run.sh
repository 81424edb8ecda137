#!/usr/bin/env bash
# Runs real programs under the agent, in full mode, and looks at everything that it says.
#
# A run passes if the program ends well and finds its own data consistent, the JVM neither crashes nor refuses a
# class, and each confirmed race is one that known-races.txt explains.
set -euo pipefail

usage() {
    cat >&2 <<'USAGE'
usage: run.sh [OPTION...] --agent LIB
  --jdk HOME       JDK to run with (default: the one of the java command)
  --seconds N      how long each program works (default 30)
  --only PATTERN   only the programs whose name matches this glob
  --opts OPTS      further agent options, "key=value,key=value"
  --work DIR       where classes and results go (default: a folder under /tmp that is removed if all is well)
  --compare        runs each program without the agent too and tells the slowdown
USAGE
    exit 64
}

die() {
    echo "run.sh: $*" >&2
    exit 1
}

here=$(cd "$(dirname "$0")" && pwd)
jdk= agent= seconds=30 only='*' opts= work= compare=0
while (($#)); do
    case $1 in
        --jdk) jdk=${2:?} && shift 2 ;;
        --agent) agent=$(readlink -f "${2:?}") && shift 2 ;;
        --seconds) seconds=${2:?} && shift 2 ;;
        --only) only=${2:?} && shift 2 ;;
        --opts) opts=${2?} && shift 2 ;;
        --work) work=${2:?} && shift 2 ;;
        --compare) compare=1 && shift ;;
        *) usage ;;
    esac
done
[[ -n $agent ]] || usage
[[ -f $agent ]] || die "$agent: no such agent library"
command -v jq >/dev/null || die "jq is needed to read the result files"
if [[ -z $jdk ]]; then
    java=$(readlink -f "$(command -v java)") || die "no java on the PATH; give --jdk"
    jdk=${java%/bin/java}
fi
[[ -x $jdk/bin/javac ]] || die "$jdk: no JDK there (bin/javac is missing)"

# Program and the jars it needs, by their names in Debian.
programs=(
    "PoolLoad commons-pool2"
    "H2Load h2"
    "DerbyLoad derby"
    "LuceneLoad lucene-core-4.10.4 lucene-analyzers-common-4.10.4"
    "JettyLoad jetty9-server jetty9-util jetty9-io jetty9-http servlet-api"
)
class_path() {
    local jar path=$classes
    for jar in "$@"; do path+=:/usr/share/java/$jar.jar; done
    echo "$path"
}

for row in "${programs[@]}"; do
    for jar in ${row#* }; do
        [[ -f /usr/share/java/$jar.jar ]] && continue
        echo "$jar.jar is missing; tests/run --real installs it"
        exit 77
    done
done

. "$here/../lib/halves.sh"

keep=1
if [[ -z $work ]]; then
    work=$(mktemp -d) && keep=0
fi
mkdir -p "$work"
work=$(cd "$work" && pwd)
classes=$work/classes

compile() {
    local all=() row
    for row in "${programs[@]}"; do
        # shellcheck disable=SC2206 # a row is a list of words
        all+=(${row#* })
    done
    mkdir -p "$classes"
    "$jdk/bin/javac" --release 17 -nowarn -cp "$(class_path "${all[@]}")" -d "$classes" "$here"/programs/*.java ||
        die "javac failed"
}

# One line per confirmed race: kind, field, and the methods of its two accesses without their packages.
confirmed() {
    jq -Rr 'fromjson? | select(.type == "race" and .verdict == "confirmed")
        | "\(.kind) \(.field) " + ([.accesses[] | "\(.class | sub(".*[./]"; "")).\(.method)"] | join(" "))' "$1" |
        sort -u
}

# Prints what is wrong with run $1 of program $2, whose exit code was $3.
faults() {
    local log=$1 name=$2 code=$3 line
    ((code == 0)) || echo "exit code $code: $(grep -m 1 -E 'Exception|Error|#  SIG' "$log.err" "$log.out" || true)"
    grep -qx ok "$log.out" || echo "its own checks did not end well"
    if compgen -G "$log.hs_err*" >/dev/null; then echo "the JVM crashed: $log.hs_err*"; fi
    grep -v '^race: [0-9]* data race' "$log.err" |
        grep -m 3 -E '(Verify|NoSuchField|NoSuchMethod|ClassFormat|Linkage|IllegalAccess|Internal)[a-zA-Z]*Error|^race: ' || true
    [[ $(tail -n 1 "$log.jsonl" 2>/dev/null | jq -r .type) == summary ]] || echo "no summary in the result file"
    while read -r line; do
        # shellcheck disable=SC2086 # a race is four words
        is_known "$here/known-races.txt" "$name" $line || echo "a race that nobody explained: $line"
    done < <(confirmed "$log.jsonl" 2>/dev/null)
}

rate() {
    sed -n 's/^work \([0-9.]*\) per second$/\1/p' "$1"
}

# run_java LOG OPTIONS... : the working folder is the program's own, so that nothing is left elsewhere.
run_java() {
    local log=$1 code=0
    shift
    mkdir -p "$log.dir"
    (cd "$log.dir" && exec timeout -k 10 $((seconds * 4 + 120)) "$jdk/bin/java" "-XX:ErrorFile=$log.hs_err.log" "$@") \
        >"$log.out" 2>"$log.err" </dev/null || code=$?
    rm -rf "$log.dir"
    echo "$code"
}

passed=0 failed=0
compile
for row in "${programs[@]}"; do
    name=${row%% *} log=$work/${row%% *}
    # shellcheck disable=SC2053 # the right side is meant as a pattern
    [[ $name == $only ]] || continue
    rm -f "$log".*
    # shellcheck disable=SC2086 # the jars are a list
    path=$(class_path ${row#* })
    # The JDK's own classes are verified too, which the JVM leaves out by default: they are rewritten as well.
    code=$(run_java "$log" -XX:+UnlockDiagnosticVMOptions -XX:+BytecodeVerificationLocal \
        "-agentpath:$agent=out=$log.jsonl${opts:+,$opts}" -cp "$path" "$name" "$seconds")
    why=$(faults "$log" "$name" "$code")
    said="$(confirmed "$log.jsonl" | wc -l) races, $(rate "$log.out") turns per second"
    if ((compare)); then
        run_java "$log.plain" -cp "$path" "$name" "$seconds" >/dev/null
        said+=", $(rate "$log.plain.out") without the agent"
    fi
    if [[ -z $why ]]; then
        passed=$((passed + 1))
        echo "passed $name: $said"
    else
        failed=$((failed + 1))
        echo "FAILED $name: $said; see $log.*"
        sed 's/^/    /' <<<"$why"
    fi
done
echo "$passed passed, $failed failed"
((passed + failed > 0)) || die "no program matches '$only'"
((failed == 0)) || exit 1
((keep)) || rm -rf "$work"
