#!/usr/bin/env bash
# What the agent writes and what its options do: counts, suppressions, stacks of earlier accesses, delays, tests.
set -euo pipefail

usage() {
    cat >&2 <<'USAGE'
usage: run.sh [--only PATTERN] --race TOOL --agent LIB
  --only PATTERN  only the cases whose name matches this glob
USAGE
    exit 64
}

die() {
    echo "run.sh: $*" >&2
    exit 1
}

here=$(cd "$(dirname "$0")" && pwd)
race= agent= only='*'
while (($#)); do
    case $1 in
        --only) only=${2:?} && shift 2 ;;
        --race) race=$(readlink -f "${2:?}") && shift 2 ;;
        --agent) agent=$(readlink -f "${2:?}") && shift 2 ;;
        *) usage ;;
    esac
done
[[ -x $race && -f $agent ]] || usage
command -v jq >/dev/null || die "jq is needed to read the result files"
command -v java >/dev/null && command -v javac >/dev/null || die "a JDK is needed"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# --- Tools ---------------------------------------------------------------------------------------------------

fail() {
    echo "    $*" >&2
    if [[ -s err ]]; then tail -n 5 err | sed 's/^/    stderr: /' >&2; fi
    exit 1
}

# run CODE OPTIONS JAVA_ARGS...: runs java under the agent; results in r.jsonl, output in out and err.
run() {
    local code=$1 options=$2 got=0
    shift 2
    rm -f r.jsonl
    timeout -k 5 120 java "-agentpath:$agent=out=r.jsonl${options:+,$options}" -cp classes "$@" >out 2>err </dev/null || got=$?
    ((got == code)) || fail "java $*: exit code $got, expected $code"
}

# The same with another class path; exit code 0.
run_from() {
    local classes=$1 options=$2
    shift 2
    rm -f r.jsonl
    timeout -k 5 120 java "-agentpath:$agent=out=r.jsonl,$options" -cp "$classes" "$@" >out 2>err </dev/null ||
        fail "java $*: exit code $?"
}

# has JQ-CONDITION: of all lines of the result file as one array.
has() {
    jq -s -e "$1" r.jsonl >/dev/null || fail "the results are not so: $1"$'\n'"$(head -c 3000 r.jsonl)"
}

plan_of() {
    "$race" analyze -cp classes -m "$1" -o "$1.plan" >analyze.out 2>&1 || (($? == 66)) || fail "race analyze: $(tail -n 3 analyze.out)"
}

# --- Cases ---------------------------------------------------------------------------------------------------

# Each race is there at once with count 1, and once more at the end with how often it happened.
case_counts() {
    run 0 '' Counted
    has '[.[] | select(.type == "race" and .field == "Counted.hot")] | (map(.count) | min == 1) and (map(.count) | max > 1)'
    has '[.[] | select(.type == "race")] | group_by([.accesses[] | .bci, .access]) | all(length <= 2)'
    has '([.[] | select(.type == "race") | .accesses] | unique | length) == .[-1].races'
    has '.[-1] | .type == "summary" and .classes > 0 and .total_sites >= .instrumented_sites and .suppressed == 0'
    has '.[0].type == "header" and (.[0].main | contains("Counted"))'
}

# The earlier access stands first: the later one has its whole stack, down to where its thread began.
case_order() {
    run 0 '' Counted
    has '[.[] | select(.type == "race") | .accesses[1].stack[-1]] | length > 0 and all(startswith("java.lang.Thread.run"))'
}

# A pair that a lock orders names the lock by its class.
case_lock() {
    plan_of Counted
    run 0 plan=Counted.plan Counted
    has '[.[] | select(.type == "evidence" and .lock == "java.lang.StringBuilder" and .raced == 0 and .ordered.lock > 0)] | length > 0'
}

# What a class of java.util.concurrent publishes is a hand-off; the program's own volatiles and atomics are not.
case_handed() {
    "$race" analyze -cp classes -m Handed -o Handed.plan --without escaping parallel unlocked >analyze.out 2>&1 ||
        fail "race analyze: $(tail -n 3 analyze.out)"
    run 0 plan=Handed.plan,report=off Handed
    "$race" report --plan Handed.plan r.jsonl --format json >r.json 2>err || fail "race report"
    mv r.json r.jsonl
    has '[.[0].races[] | select(.verdict == "ordered" and .evidence.ordered.start_join == 0) |
        {(.field): (.why | sub("\\. .*"; ""))}] | add == {
        "Handed.future": "Met once, ordered by a hand-off of java.util.concurrent.FutureTask",
        "Handed.completable": "Met once, ordered by a hand-off of java.util.concurrent.CompletableFuture",
        "Handed.latch": "Met once, ordered by a hand-off of java.util.concurrent.locks.AbstractQueuedSynchronizer",
        "Handed.volatileFlag": "Met once, ordered by volatile Handed.flag",
        "Handed.atomicFlag": "Met once, ordered by volatile java.util.concurrent.atomic.AtomicBoolean"}'
}

# Locks that were taken before there was anything to check are known all the same once they matter.
case_locks_across() {
    plan_of Across
    run 0 plan=Across.plan,history=off Across
    has '[.[] | select(.type == "evidence" and .met > 0)] | length >= 2 and all(.predicted == 0 and .raced == 0)'
    has '[.[] | select(.type == "evidence" and .ordered.lock > 0 and .lock == "Across.Gate")] | length >= 2'
}

# Suppressed races are counted only; entries that match nothing are named.
case_suppress() {
    printf '# known\nrace:Counted.quiet\nrace:no.such.Thing\n' >some.supp
    run 0 suppress=some.supp Counted
    has '[.[] | select(.type == "race") | .field] | unique == ["Counted.hot"]'
    has '.[-1].suppressed > 0 and .[-1].unused_suppressions == 1'
    grep -q 'some.supp:3: race:no.such.Thing matched nothing' err || fail "the unused entry is not named"
    ! grep -q 'Counted.quiet' err || fail "a suppressed race is printed"
    # A frame is enough, and what is suppressed is no reason to fail.
    echo 'race:Counted.loop' >frame.supp
    run 0 suppress=frame.supp,exitcode=66,halt_on_error=on Counted
    has '[.[] | select(.type == "race")] == [] and .[-1].races == 0'
    run 66 exitcode=66 Counted
    echo 'nonsense' >bad.supp
    run 65 suppress=bad.supp Counted
    grep -q 'bad.supp: line 1' err || fail "a bad file is not explained"
}

# Final fields make reads safe behind a publication that is a race, also if that is accepted; they count as ordered.
case_frozen() {
    run 0 '' Frozen
    has '[.[] | select(.type == "race") | .field] | unique == ["Frozen.shared"]'
    run 0 '' Frozen open
    has '[.[] | select(.type == "race") | .field] | unique == ["Frozen.Filled.open", "Frozen.Keeper.open", "Frozen.shared"]'
    echo 'race:Frozen.shared' >published.supp
    run 66 suppress=published.supp,exitcode=66 Frozen open
    run 0 suppress=published.supp,exitcode=66 Frozen
    has '[.[] | select(.type == "race")] == [] and .[-1].suppressed > 0'
    plan_of Frozen
    run 0 plan=Frozen.plan,report=off Frozen
    "$race" report --plan Frozen.plan r.jsonl --format json >r.json 2>err || (($? == 66)) || fail "race report"
    mv r.json r.jsonl
    has '[.[0].races[] | select(.verdict == "confirmed") | .field] | unique == ["Frozen.shared"]'
    has '.[0].races[] | select(.field == "Frozen.Filled.kept") | .verdict == "ordered" and .evidence.raced == 0'
}

# An annotation accepts races on a field, or of a method with its lambdas, or of a class with those nested in it.
case_annotated() {
    local all='["Annotated.cls","Annotated.field","Annotated.method","Annotated.plain"]' plain='["Annotated.plain"]'
    printf '# fine\nrace:@Tolerated\nrace:@Nowhere\n' >by.supp
    run 0 '' Annotated
    has "[.[] | select(.type == \"race\") | .field] | unique == $all"
    cp r.jsonl all.jsonl
    run 0 suppress=by.supp Annotated
    has "[.[] | select(.type == \"race\") | .field] | unique == $plain"
    grep -q 'by.supp:3: race:@Nowhere matched nothing' err || fail "the unused entry is not named"
    # The same for results of a run without, and for the analysis.
    "$race" report all.jsonl --suppress by.supp -cp classes --format json >r.jsonl 2>err || (($? == 66)) || fail "race report"
    has ".[0].races | [.[].field] | unique == $plain"
    has '.[0].hidden | all(.by | startswith("race:@Tolerated (by.supp:2)"))'
    "$race" analyze -cp classes -m Annotated --suppress by.supp --format json >r.jsonl 2>err || fail "race analyze"
    has ".[0].races | [.[].field] | unique == $plain"
    "$race" report all.jsonl --suppress by.supp >out 2>err && fail "annotations without classes are accepted"
    grep -q '^race: .*needs the class files: give -cp PATH$' err || fail "the error does not help"
}

# A check that stands in for another access answers for its pairs too, but not for an access that did not run.
case_stand_in() {
    local mode
    plan_of StandIn
    local reads='[.[] | select(.type == "race" and (.accesses | any(.access == "read"))) | .field] | unique'
    # A read that is not checked is in no stack, and yet its race is confirmed.
    run 0 "" StandIn
    has "$reads == [\"StandIn.Cell.late\", \"StandIn.Cell.split\", \"StandIn.Cell.stopped\"]"
    has '[.[] | select(.type == "race") | .field] | unique | length == 7'
    for mode in full field method combined; do
        run 0 "plan=StandIn.plan,mode=$mode" StandIn
        has "$reads == [\"StandIn.Cell.late\", \"StandIn.Cell.split\", \"StandIn.Cell.stopped\", \"StandIn.Cell.update\"]"
        "$race" report --plan StandIn.plan r.jsonl --format json >report.json 2>err || (($? == 66)) || fail "race report"
        mv report.json r.jsonl
        has '.[0].races | [.[] | [.field, ([.accesses[].access] | unique | join(" ")), .verdict]] | unique == [
            ["StandIn.Cell.branch", "read write", "half"], ["StandIn.Cell.branch", "write", "confirmed"],
            ["StandIn.Cell.late", "read write", "confirmed"], ["StandIn.Cell.late", "write", "confirmed"],
            ["StandIn.Cell.split", "read write", "confirmed"], ["StandIn.Cell.split", "write", "confirmed"],
            ["StandIn.Cell.stopped", "read write", "confirmed"], ["StandIn.Cell.stopped", "read write", "half"],
            ["StandIn.Cell.stopped", "write", "half"], ["StandIn.Cell.stopped", "write", "unexercised"],
            ["StandIn.Cell.straight", "read write", "confirmed"], ["StandIn.Cell.straight", "write", "confirmed"],
            ["StandIn.Cell.thrown", "read write", "half"], ["StandIn.Cell.thrown", "write", "confirmed"],
            ["StandIn.Cell.update", "read write", "confirmed"], ["StandIn.Cell.update", "write", "confirmed"]]'
    done
}

# What the variable held when the race was found, in Java's spelling.
case_values() {
    run 0 '' Values
    has '[.[] | select(.type == "race") | {(.field | sub("^Values(.Cell)?[.]"; "")): .value}] | add == {
        flag: "true", small: "-3", letter: "\u0027x\u0027", odd: "\u0027\\u00e9\u0027", shorter: "300", number: "36",
        large: "1099511627776", half: "0.5", tenth: "0.1", text: "\"two \\\"words\\\"\\u000a\\u001b[2J\"",
        huge: "\"0123456789012345678901234567890123456789\"...", nothing: "null", list: "java.util.ArrayList",
        shared: "7", "boolean[]": "true", "byte[]": "9", "double[]": "-1.5", "java.lang.String[]": "\"four\""}'
    grep -q '^  Value just before the later access: 1099511627776$' err || fail "the report on stderr has no value"
    "$race" report r.jsonl >report.out || (($? == 66)) || fail "race report"
    grep -qF '  Value just before the later access: "two \"words\"\u000a\u001b[2J"' report.out || fail "the report has no value"
}

# What an unproved method of an analysed class hands to others is known: no method is proved for fewer arguments than it
# gets.  That is why owners of arguments are not looked at in the run (agent/boundary.h).
case_arguments() {
    local mode
    plan_of Arguments
    awk -F'\t' '$1 == "class" { c = $3 } $1 == "method" { print c "." $2, $4 }' Arguments.plan >methods
    for mode in 'Arguments.lend untyped' 'Arguments.keep typed' 'Arguments$Box.inc untyped' 'Arguments$Box.waste typed'; do
        grep -qxF "$mode" methods || fail "the plan does not say $mode: $(paste -sd, methods)"
    done
    for mode in field method combined; do
        run 0 "plan=Arguments.plan,mode=$mode" Arguments
        has '[.[] | select(.type == "race") | .field] | unique == ["Arguments.Box.count", "Arguments.lent"]'
    done
}

# A class that was not analysed calls a method that leaves a lock to its callers.
case_boundary() {
    mkdir -p with without
    cp classes/Boundary*.class without && cp classes/Boundary*.class with
    javac -nowarn -cp with -d with "$here"/outside/*.java || fail "javac"
    "$race" analyze -cp without -m Boundary -o b.plan >analyze.out 2>&1 || fail "the program is proved, or should be"
    local mode
    for mode in field method combined; do
        # With the lock all is well, and so is a call for an object that needs none.
        run_from with "plan=b.plan,mode=$mode" Boundary Keeper
        has '[.[] | select(.type == "breach" or .type == "race")] == []'
        # Without it: the call is told, and the race that it makes is found, in the field and in the array.
        run_from with "plan=b.plan,mode=$mode" Boundary Breaker
        has '[.[] | select(.type == "breach")] | length == 1 and .[0].class == "Boundary$Box" and .[0].method == "inc"
            and .[0].requires == "this" and .[0].caller == "Breaker" and .[0].classes == 2'
        has '[.[] | select(.type == "breach")][0].stack | .[0] | startswith("Boundary$Box.inc(Boundary.java:")'
        has '[.[] | select(.type == "race") | .field] | unique == ["Boundary.Box.count", "int[]"]'
        grep -q '^NOTE: Boundary$Box.inc was called without the lock that it requires: this$' err || fail "nothing is said"
        "$race" report --plan b.plan r.jsonl >out 2>err || (($? == 66)) || fail "race report"
        grep -q 'note: .*Boundary$Box.inc was called without the lock it requires (this), by Breaker.run(Breaker.java:7)' out ||
            fail "the report does not say so"
    done
}

# A method runs of which the analysis saw no call: it is checked, what it races with is, and it is told.
case_unreached() {
    "$race" analyze -cp classes -m Unreached -o u.plan >analyze.out 2>&1 || fail "the program is proved, or should be"
    grep -q 'not reached: [0-9]* methods, no call of which was seen' analyze.out || fail "the analysis does not say so"
    local mode
    for mode in field method combined; do
        run 0 "plan=u.plan,mode=$mode" Unreached
        has '[.[] | select(.type == "breach" or .type == "race")] == []'
        run 0 "plan=u.plan,mode=$mode" Unreached hidden
        has '[.[] | select(.type == "breach")] | length == 1 and .[0].class == "Unreached" and .[0].method == "hidden"
            and .[0].requires == null and .[0].caller == null and .[0].classes == 1'
        has '[.[] | select(.type == "race") | .field] | unique == ["Unreached.count", "Unreached.sum", "int[]"]'
        has '[.[] | select(.type == "race") | .accesses[].method] | unique == ["further", "hidden", "step"]'
        grep -q '^NOTE: Unreached.hidden runs, though the analysis saw no call of it$' err || fail "nothing is said"
        "$race" report --plan u.plan r.jsonl >out 2>err || (($? == 66)) || fail "race report"
        grep -q 'note: .*Unreached.hidden ran, called by Unreached.call(Unreached.java:23), though' out || fail "the report does not say so"
    done
}

# The class is loaded a second time then, with all its checks; what its accesses do counts for the pairs as before.
case_afterwards() {
    plan_of Afterwards
    run 0 plan=Afterwards.plan Afterwards hidden
    has '[.[] | select(.type == "breach")] | length == 1'
    has '[.[] | select(.type == "race") | .field] | unique == ["Afterwards.ticks"]'
    has '[.[] | select(.type == "evidence")] | length > 0 and all(.raced > 0)'
    has '[.[] | select(.type == "ran") | .sites | length] == [2]'
}

# A class that has changed since the analysis is checked in full, and said to be one.
case_stale() {
    "$race" analyze -cp classes -m Stale -o s.plan >analyze.out 2>&1 || fail "the program is proved, or should be"
    mkdir -p changed
    sed 's/synchronized (lock)//' "$here/programs/Stale.java" >changed/Stale.java
    javac -nowarn -d changed changed/Stale.java || fail "javac"
    local mode
    for mode in field method combined; do
        run 0 "plan=s.plan,mode=$mode" Stale
        has '[.[] | select(.type == "stale" or .type == "race")] == [] and .[-1].instrumented_sites == 0'
        run_from changed "plan=s.plan,mode=$mode" Stale
        has '[.[] | select(.type == "stale") | .class] == ["Stale"]'
        has '[.[] | select(.type == "race") | .field] | unique == ["Stale.n"]'
    done
    "$race" report --plan s.plan r.jsonl --format json >report.json 2>err || (($? == 66)) || fail "race report"
    jq -e '.summary.stale_classes == 1 and (.races | all(.static == false))' report.json >/dev/null || fail "the report does not say so"
}

# A JVM that the program starts has the same options and leaves the results of the first one alone.
case_shared_file() {
    rm -f r.jsonl r-*.jsonl
    JAVA_TOOL_OPTIONS="-agentpath:$agent=out=r.jsonl,report=off" timeout -k 5 120 java -cp classes Parent >out 2>err </dev/null ||
        fail "exit code $?"
    grep -qx 'child ended with 0' out || fail "the second JVM did not run"
    has '[.[] | .type] | .[0] == "header" and .[-1] == "summary" and ([.[] | select(. == "header")] | length == 1)'
    has '[.[] | select(.type == "race") | .field] | unique == ["Parent.first"]'
    mv r-*.jsonl r.jsonl || fail "the second JVM has no file, or there are several"
    has '[.[] | select(.type == "race") | .field] | unique == ["Parent.second"]'
    grep -qE '^race: note: r.jsonl is being written by another JVM; the results of this one go to r-[0-9]+.jsonl$' err ||
        fail "nothing is said"
}

# A second agent, be it a copy, is refused before it does harm.
case_twice() {
    local second
    mkdir -p copy && cp "$agent" copy/librace.so
    for second in "$agent" "$PWD/copy/librace.so"; do
        run 64 report=off "-agentpath:$second=out=second.jsonl" Counted
        grep -q "^race: the agent is given twice, the second time with the options 'out=second.jsonl': remove one" err ||
            fail "the error does not help"
        [[ ! -s out && ! -e second.jsonl ]] || fail "main ran, or the second agent wrote"
    done
}

# What Java calls by characters beyond U+FFFF is real UTF-8 in every file, and threads may be called anything.
case_names() {
    run 0 '' Names
    has '[.[] | select(.type == "race") | .field] | unique == ["Names.𝒳.ü", "Names.𝒳.𝒻"]'
    has '[.[] | select(.type == "race") | .accesses[].method] | unique == ["w𝒲"]'
    has '[.[] | select(.type == "race") | .accesses[].thread.name] | unique == ["a, \"b\"\nc", "ü€😀"]'
    grep -q 'DATA RACE on instance Names.𝒳.ü' err || fail "the report on stderr has other names"
    plan_of Names
    run 0 plan=Names.plan,report=off Names
    "$race" report --plan Names.plan r.jsonl --format json >r.json 2>err || (($? == 66)) || fail "race report"
    mv r.json r.jsonl
    has '.[0].races | length > 0 and all(.static and .verdict == "confirmed" and (.field | startswith("Names.𝒳.")))'
}

case_log() {
    run 1 log=nowhere/x Counted
    [[ ! -s out && $(<err) == 'race: nowhere/x: cannot write the log: No such file or directory' ]] ||
        fail "not just one line of error"
}

# A plan that is not whole stops the JVM before main, with one line that says why.
case_bad_plan() {
    plan_of Counted
    head -c 400 Counted.plan >cut.plan
    sed '1s/[0-9]*$/99/' Counted.plan >version.plan
    sed 's/untyped$/typed/' Counted.plan >edited.plan
    sed '/^field/d' Counted.plan >lines.plan
    echo '{"type":"header"}' >json.plan
    : >empty.plan
    local name
    for name in cut version edited lines json empty missing; do
        run 65 "plan=$name.plan" Counted
        [[ ! -s out && $(grep -c . err) -eq 1 ]] || fail "$name.plan: not one line, or main ran"
        grep -q "^race: $name.plan: " err || fail "$name.plan: not named"
    done
}

# A plan of another JDK is said to be one, at the start and in the report.
case_jdks() {
    plan_of Counted
    run 0 plan=Counted.plan Counted
    ! grep -q 'made with JDK' err || fail "the same JDK is taken for another one"
    local own other
    own=$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")
    for other in "$(dirname "$own")"/*; do
        if [[ -x $other/bin/java && -f $other/release && ! $other/release -ef $own/release ]]; then break; fi
    done
    [[ -x $other/bin/java && ! $other/release -ef $own/release ]] || { echo "    there is no second JDK" >&2 && exit 77; }
    "$other/bin/java" "-agentpath:$agent=out=r.jsonl,plan=Counted.plan" -cp classes Counted >out 2>err </dev/null ||
        fail "exit code $?"
    grep -qE '^race: note: the plan was made with JDK [0-9]+, and this is JDK [0-9]+: analyse again with --jdk' err ||
        fail "nothing is said"
    "$race" report --plan Counted.plan r.jsonl >out 2>err || (($? == 66)) || fail "race report"
    grep -qE '^ +note: r.jsonl: ran on JDK [0-9]+, but the plan was made with JDK [0-9]+$' out || fail "the report does not say so"
}

# Both accesses have their whole stacks: with a plan, and without one if asked for.
case_history() {
    local whole='[.[] | select(.type == "race") | .accesses[].stack[-1]] | length > 0 and all(startswith("java.lang.Thread.run"))'
    plan_of Counted
    run 0 plan=Counted.plan Counted
    has "$whole"
    run 0 history=on Counted
    has "$whole"
    run 0 plan=Counted.plan,history=off Counted
    has '[.[] | select(.type == "race") | .accesses[0].stack | length] | length > 0 and all(. == 1)'
}

# A race that hardly ever shows by itself is found in a few runs with delays, also where each line runs only once.
case_confirm() {
    local i program options
    plan_of Rare
    while read -r program options; do
        for i in 1 2 3 4 5; do
            run 0 "$options" "$program"
            has '.[-1].delayed_us > 0'
            if grep -q "\"field\":\"$program.x\"" r.jsonl; then continue 2; fi
        done
        fail "$program, $options: not found in 5 runs"
    done <<<$'Rare plan=Rare.plan,confirm=on\nRare confirm=on\nOnce confirm=on'
    run 0 '' Rare
    has '.[-1].delayed_us == 0'
    # Delays may be kept for the code that somebody suspects.
    run 0 'confirm=on,aim=Other;Rare.main' Rare
    has '.[-1].delayed_us == 0'
    for i in 1 2 3 4 5; do
        run 0 'confirm=on,aim=Other;Rare.write' Rare
        has '.[-1].delayed_us > 0'
        if grep -q '"field":"Rare.x"' r.jsonl; then return; fi
    done
    fail "aim: not found in 5 runs"
}

# framework TEST JAR...: compiles the test class against Debian's jars; the class path in $path.
framework() {
    local test=$1 jar missing=()
    shift
    path=framework.$test
    for jar in "$@"; do
        if [[ ! -e /usr/share/java/$jar.jar ]]; then missing+=("$jar.jar"); fi
        path+=:/usr/share/java/$jar.jar
    done
    if ((${#missing[@]})); then
        echo "    not in /usr/share/java: ${missing[*]}" >&2
        exit 77
    fi
    javac -nowarn -cp "$path" -d "framework.$test" "$here/frameworks/$test.java" "$here/frameworks/Racing.java" 2>err ||
        fail "javac failed"
}

# tests JSON: the fields that raced, each with the test that ran meanwhile.
tests() {
    has '[.[] | select(.type == "race") | {(.field): .test}] | add == '"$1"
}

case_junit4() {
    framework Four junit4 hamcrest
    run 0 '' -cp "$path" org.junit.runner.JUnitCore demo.Four
    tests '{"demo.Racing.before": null, "demo.Racing.one": "demo.Four.racesOnOne", "demo.Racing.two": "demo.Four.racesOnTwo"}'
    grep -q '^  In test demo.Four.racesOnOne$' err || fail "the report does not name the test"
}

case_junit5() {
    framework Five junit-jupiter-api junit-jupiter-engine junit-jupiter-params junit-platform-commons \
        junit-platform-engine junit-platform-launcher junit-platform-console junit-platform-reporting opentest4j \
        apiguardian-api picocli
    run 0 '' -cp "$path" org.junit.platform.console.ConsoleLauncher --select-class demo.Five --select-class 'demo.Five$Inner'
    tests '{"demo.Racing.before": null, "demo.Racing.one": "demo.Five.racesOnOne",
        "demo.Racing.two": "demo.Five.racesOnTwo", "demo.Racing.three": "demo.Five$Inner.racesOnThree"}'
}

case_testng() {
    framework Next testng jcommander bsh
    run 0 '' -cp "$path" org.testng.TestNG -testclass demo.Next -usedefaultlisteners false
    tests '{"demo.Racing.before": null, "demo.Racing.one": "demo.Next.racesOnOne", "demo.Racing.two": "demo.Next.racesOnTwo"}'
}

# --- All of them ---------------------------------------------------------------------------------------------

# File names are made of the names of classes, whatever the locale.
export LC_ALL=C.UTF-8
javac -nowarn -encoding UTF-8 -d classes "$here"/programs/*.java || die "javac failed"
passed=0 failed=0 skipped=0
for name in $(declare -F | sed -n 's/^declare -f case_//p'); do
    # shellcheck disable=SC2053 # the right side is meant as a pattern
    [[ $name == $only ]] || continue
    code=0
    (set -e; "case_$name") || code=$?
    case $code in
        0) echo "ok   $name" && passed=$((passed + 1)) ;;
        77) echo "SKIP $name" && skipped=$((skipped + 1)) ;;
        *) echo "FAIL $name" && failed=$((failed + 1)) ;;
    esac
done
echo "$passed passed, $failed failed, $skipped skipped"
((passed + skipped > 0 && failed == 0))
