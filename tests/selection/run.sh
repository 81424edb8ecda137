#!/usr/bin/env bash
# Resolution and selection in random hierarchies: the program model against the JVM.
#
#   run.sh SELECTION COUNT [FIRST_SEED]
set -euo pipefail

selection=${1:?usage: run.sh SELECTION COUNT [FIRST_SEED]}
count=${2:?usage: run.sh SELECTION COUNT [FIRST_SEED]}
first=${3:-1}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cd "$work"
dirs=()
for ((seed = first; seed < first + count; seed++)); do
    mkdir "$seed"
    "$selection" "$seed" "$seed" >>model
    dirs+=("$seed")
done
java "$here/Calls.java" "${dirs[@]}" >jvm
echo "$(wc -l <jvm) calls, $(grep -c ' error$' jvm) of them errors"
[ "$(wc -l <jvm)" -gt $((count * 50)) ]
if ! diff model jvm >differences; then
    echo "FAILED: the model (<) and the JVM (>) differ, $(grep -c '^<' differences) times"
    head -n 20 differences
    exit 1
fi
