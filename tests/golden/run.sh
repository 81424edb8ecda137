#!/usr/bin/env bash
# Compares what `race dump` prints with the files beside the sources.
#
#   run.sh RACE            compares; shows the differences
#   run.sh RACE --update   writes what is printed now
#
# ir/X.java is dumped by `race dump ir`, `cfg` and `classes` into X.ir, X.cfg and X.classes.
set -euo pipefail

race=${1:?usage: run.sh RACE [--update]}
update=${2:-}
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

status=0
javac -g --release 17 -d "$work" ir/*.java
for source in ir/*.java; do
    class=$(basename "$source" .java)
    for kind in ir cfg classes; do
        expected=ir/$class.$kind
        "$race" dump "$kind" -cp "$work" "$class" >"$work/out"
        if [ "$update" = --update ]; then
            cp "$work/out" "$expected"
        elif ! diff -u "$expected" "$work/out"; then
            echo "FAILED: race dump $kind $class differs from tests/golden/$expected"
            status=1
        fi
    done
done
exit $status
