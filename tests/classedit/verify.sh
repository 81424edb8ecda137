#!/bin/bash
# verify.sh EDIT_ALL [CLASSES_DIR [CLASS_PATH]]
# Edits the sample (and every class under CLASSES_DIR) in each mode, links all of them under the HotSpot
# verifier, and runs the sample: its output, line numbers included, must stay the same.
set -euo pipefail
edit_all=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir -p "$work/sample" "$work/link"
javac -g -nowarn -d "$work/sample" "$here/EditSample.java"
javac -d "$work/link" "$here/LinkAll.java"
expected=$(java -Xverify:all -cp "$work/sample" EditSample)

edit_tree() { # MODE FROM TO
    (cd "$2" && find . -name '*.class') | while read -r f; do
        mkdir -p "$3/$(dirname "$f")"
        echo "$2/$f $3/$f"
    done | "$edit_all" "$1"
}

for mode in same nop branch finally fat; do
    out="$work/out-$mode"
    echo "== $mode"
    edit_tree $mode "$work/sample" "$out"
    java -Xverify:all -cp "$work/link:$out" LinkAll "$out"
    actual=$(java -Xverify:all -cp "$out" EditSample)
    if [ "$actual" != "$expected" ]; then
        printf 'expected: %s\nactual:   %s\n' "$expected" "$actual"
        exit 1
    fi
    if [ $# -ge 2 ]; then
        edit_tree $mode "$2" "$work/big-$mode" 2>&1 | tail -20
        java -Xverify:all -cp "$work/link:$work/big-$mode:${3:-}" LinkAll "$work/big-$mode"
    fi
done
