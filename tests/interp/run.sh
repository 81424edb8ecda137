#!/usr/bin/env bash
# Programs must print under the IR interpreter what they print in the JVM.
#
#   run.sh INTERP COUNT [FIRST_SEED]    Cases.java and COUNT random programs
set -euo pipefail

interp=${1:?usage: run.sh INTERP COUNT [FIRST_SEED]}
count=${2:?usage: run.sh INTERP COUNT [FIRST_SEED]}
first=${3:-1}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

java "$here/Gen.java" "$work" "$first" "$count"
javac -nowarn -d "$work" "$here/Out.java" "$here/Cases.java" "$work"/G*.java
cd "$work"
classes=(Cases $(ls G*.java | sed 's/\.java//'))
java -cp . Out "${classes[@]}" >jvm
status=0
"$interp" -cp . "${classes[@]}" >ir || status=1
if ! cmp -s jvm ir; then
    echo "FAILED: the interpreter prints something else than the JVM (< JVM, > interpreter), in this program:"
    line=$(cmp jvm ir 2>&1 | sed 's/.*line \([0-9]*\).*/\1/')
    head -n "${line:-1}" jvm | grep '^==' | tail -n 1
    diff jvm ir | head -n 6 || true
    status=1
fi
echo "${#classes[@]} programs, $(wc -l <jvm) lines compared"
[ "$(wc -l <jvm)" -gt $((count * 100)) ] || status=1
exit $status
