#!/bin/bash
# verify.sh REWRITE_ALL LINK_ALL_SOURCE HOOKS_SOURCE_DIR [CLASSES_DIR...]
# Rewrites classes as the agent does, checked accesses inline and as calls, and has the HotSpot verifier link them.
# The hooks' class only needs to be there: nothing of the program runs.
set -euo pipefail
rewrite_all=$1 link_all=$2 hooks=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/link" "$work/hooks" "$work/jdk" "$work/sample"
javac -d "$work/link" "$link_all"
javac -nowarn -XDignore.symbol.file --patch-module java.base="$hooks" -d "$work/hooks" "$hooks"/java/lang/*.java 2>/dev/null
javac -g -nowarn -d "$work/sample" "$here/../classedit/EditSample.java" "$here/Shapes.java"
java_home=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
"$java_home/bin/jimage" extract --include 'regex:/java.base/java/(lang|util)/.*' --dir "$work/image" "$java_home/lib/modules"
jdk=$work/image/java.base

rewrite() { # MODE FROM TO
    (cd "$2" && find . -name '*.class') | while read -r f; do
        mkdir -p "$3/$(dirname "$f")"
        echo "$2/$f $3/$f"
    done | "$rewrite_all" "$1" "$jdk" "$2"
}

for from in "$work/sample" "$@"; do
    for mode in app calls; do
        out=$work/out
        rm -rf "$out"
        rewrite $mode "$from" "$out"
        java -Xverify:all --patch-module java.base="$work/hooks" -cp "$work/link:$out" LinkAll "$out"
    done
done

# Classes of the JDK: the VM starts with them, and all are linked.
rewrite jdk "$jdk" "$work/patched"
java -Xverify:all --patch-module java.base="$work/hooks:$work/patched" -cp "$work/link" LinkAll "$work/patched"
