#!/usr/bin/env bash
# A plan of a large program (Derby under the load of tests/real) loads in at most 100 ms.
# usage: plan.sh RACE PLAN_LOAD
set -euo pipefail
race=$1 load=$2
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
