#!/usr/bin/env bash
# Soundness of the points-to analysis against runs: every call and every store that the recorder sees must be in
# the analysis, or pass through what `race dump gaps` lists, or be explained in known-missing.txt.
set -euo pipefail

usage() {
    cat >&2 <<'USAGE'
usage: run.sh [OPTION...] --recorder LIB --compare PROGRAM [NAME...]
  --set quick|all|real   a few small programs; all plug-in programs and samples; large programs and javac
  --jdk HOME             JDK to run and to analyse with (default: the one of the java command)
  --seconds N            how long each large program works (default 20)
  --work DIR             where classes and logs go (default: a folder that is removed)
With names only the programs of the set that have one of them are run.
USAGE
    exit 64
}

here=$(cd "$(dirname "$0")" && pwd)
root=$here/../../..
set=quick jdk= recorder= compare= seconds=20 work=
while (($#)); do
    case $1 in
        --set) set=${2:?} && shift 2 ;;
        --jdk) jdk=${2:?} && shift 2 ;;
        --recorder) recorder=$(readlink -f "${2:?}") && shift 2 ;;
        --compare) compare=$(readlink -f "${2:?}") && shift 2 ;;
        --seconds) seconds=${2:?} && shift 2 ;;
        --work) work=${2:?} && shift 2 ;;
        -*) usage ;;
        *) break ;;
    esac
done
[[ -f $recorder && -x $compare ]] || usage
names=("$@")
if [[ -z $jdk ]]; then
    java=$(readlink -f "$(command -v java)")
    jdk=${java%/bin/java}
fi
if [[ -z $work ]]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi
jars=/usr/share/java
checks=0 failed=0

# is_known NAME LINE: whether known-missing.txt has the line of a program.
is_known() {
    local program rest
    while read -r program rest; do
        # shellcheck disable=SC2053 # the right side is meant as a pattern; brackets in it are not
        if [[ $program == "$1" && $2 == ${rest//[/\\[} ]]; then return 0; fi
    done < <(grep -v '^#' "$here/known-missing.txt")
    return 1
}

is_wanted() {
    local name
    for name in "${names[@]}"; do [[ $name != "$1" ]] || return 0; done
    ((${#names[@]} == 0))
}

# check NAME CLASS-PATH MAIN WORD...: runs the program, compares, and shows what is new among the missing.
check() {
    local name=$1 path=$2 main=$3 code=0 line new=0
    shift 3
    is_wanted "$name" || return 0
    checks=$((checks + 1))
    mkdir -p "$work/$name.dir"
    (cd "$work/$name.dir" && timeout 600 "$jdk/bin/java" -Xlog:disable -Xlog:all=error:stderr \
        "-agentpath:$recorder=$work/$name.log" -cp "$path" "$main" "$@") >"$work/$name.out" 2>&1 </dev/null || code=$?
    # Programs of samples/ end with races of their own, which is not the question here.
    if [[ ! -s $work/$name.log ]]; then
        echo "FAILED $name: exit code $code, no log; $(tail -n 1 "$work/$name.out")"
        failed=$((failed + 1))
        return
    fi
    code=0
    timeout 600 "$compare" "$work/$name.log" -cp "$path" -m "$main" --jdk "$jdk" --show 100000 >"$work/$name.txt" || code=$?
    while read -r line; do
        is_known "$name" "${line#missing: }" && continue
        new=$((new + 1))
        ((new > 20)) || echo "    $line"
    done < <(grep '^missing: ' "$work/$name.txt")
    if ((code > 1 || new > 0)); then
        echo "FAILED $name: $new missing, exit code of the comparison $code"
        failed=$((failed + 1))
    else
        echo "passed $name"
    fi
    grep -E '^(calls|entries|stores|listed)' "$work/$name.txt" | sed 's/^/    /'
}

plugins() {
    "$jdk/bin/javac" -g -nowarn -Xlint:none -d "$work/plugins" "$here"/../programs/*.java 2>"$work/javac" ||
        { cat "$work/javac" && exit 1; }
    cp -r "$here/../programs/META-INF" "$work/plugins/"
    local program
    for program in "$@"; do check "$program" "$work/plugins" "$program"; done
}

samples() {
    local sample main
    for sample in "$@"; do
        "$jdk/bin/javac" -g -nowarn -d "$work/$sample" "$root/samples/$sample"/*.java
        main=$(cd "$work/$sample" && find . -name Main.class | sed 's#^\./##; s#\.class$##; s#/#.#g')
        check "$sample" "$work/$sample" "$main"
    done
}

real() {
    local classes=$work/real all=$jars/commons-pool2.jar:$jars/h2.jar:$jars/derby.jar jar
    local lucene=$jars/lucene-core-4.10.4.jar:$jars/lucene-analyzers-common-4.10.4.jar
    for jar in ${all//:/ } ${lucene//:/ }; do
        [[ -f $jar ]] || { echo "$jar is missing; tests/run --real installs it" && exit 77; }
    done
    "$jdk/bin/javac" -g --release 17 -nowarn -cp "$all:$lucene" -d "$classes" \
        "$root"/tests/real/programs/{Load,PoolLoad,H2Load,DerbyLoad,SqlLoad,LuceneLoad}.java
    check PoolLoad "$classes:$jars/commons-pool2.jar" PoolLoad "$seconds"
    check LuceneLoad "$classes:$lucene" LuceneLoad "$seconds"
    check H2Load "$classes:$jars/h2.jar" H2Load "$seconds"
    check DerbyLoad "$classes:$jars/derby.jar" DerbyLoad "$seconds"
    check javac "$classes" com.sun.tools.javac.Main -d "$work/out" "$root/samples/bank/Account.java"
}

case $set in
    quick) plugins Lambdas Reflections && samples bank ;;
    all)
        plugins Starts Lambdas Threads Pools Privileged Natives Atomics Reflections Proxies Services Serials Handles \
            Finals Containers Generated
        samples bank cache crawler orders
        ;;
    real) real ;;
    *) usage ;;
esac
echo "$checks programs, $failed failed"
((failed == 0 && checks > 0))
