#!/usr/bin/env bash
# A plan of a large program (Derby under the load of tests/real) loads in at most 100 ms of processor time, and the
# start of a JVM with it takes at most that much longer than without.
# usage: plan.sh RACE PLAN_LOAD AGENT
set -euo pipefail
race=$1 load=$2 agent=$3
programs=$(cd "$(dirname "$0")/../real/programs" && pwd)
jar=/usr/share/java/derby.jar
[[ -f $jar ]] || { echo "SKIPPED: $jar is missing; tests/run --real installs it"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
javac -nowarn -cp "$jar" -sourcepath "$programs" -d "$work" "$programs/DerbyLoad.java"
"$race" analyze -k 1 -cp "$work:$jar" -m DerbyLoad -o "$work/derby.plan" --quiet --fail-on none >"$work/out" ||
    { tail -n 3 "$work/out" >&2; exit 1; }
echo "derby: $(stat -c %s "$work/derby.plan") bytes"
"$load" 100 "$work/derby.plan"

# start OPTIONS: milliseconds of processor time that a JVM takes which does nothing but start; the median of five.
start() {
    local i
    cat >"$work/Nothing.java" <<<'class Nothing { public static void main(String[] args) {} }'
    javac -d "$work" "$work/Nothing.java"
    for i in 1 2 3 4 5; do
        (
            java "-agentpath:$agent=out=$work/r.jsonl,$1" -cp "$work" Nothing >/dev/null 2>&1 || exit 1
            times >"$work/times" # not in a pipe, where it would tell of another shell
            awk 'NR == 2 { split($0, t, /[ms ]+/); print (t[1] * 60 + t[2] + t[3] * 60 + t[4]) * 1000 }' "$work/times"
        )
    done | sort -n | sed -n 3p
}
without=$(start mode=full) with=$(start "plan=$work/derby.plan")
echo "start of a JVM: $with ms with the plan, $without without"
awk -v with="$with" -v without="$without" 'BEGIN { exit !(without > 0 && with - without <= 100) }'
