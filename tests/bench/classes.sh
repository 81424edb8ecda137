#!/usr/bin/env bash
# How fast classes are read and turned into IR, as a ratio to `javap -c -p` measured in the same run.
#
#   classes.sh ROUNDTRIP STAGE
#
# race:  all classes of the JDK of `java` on PATH, the whole process
# javap: all classes of java.base in one process, which is kinder to it than one process per class
# Fails if race is not at least 5 times as fast per class, or needs 1.5 GB or more.
set -euo pipefail

roundtrip=${1:?usage: classes.sh ROUNDTRIP STAGE}
stage=${2:?usage: classes.sh ROUNDTRIP STAGE}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
home=$(dirname "$(dirname "$(realpath "$(command -v javap)")")")

now_ms() { local t=$EPOCHREALTIME; echo $((${t/[.,]/} / 1000)); }

# jimage may end with an exit code that says nothing; the count of what javap printed is checked below.
"$home/bin/jimage" list "$home/lib/modules" --include 'regex:/java.base/.*' >"$work/image" || true
sed -n 's,/,.,g; s/^ *\(.*\)\.class$/\1/p' "$work/image" | grep -v 'module-info$' >"$work/names"

start=$(now_ms)
xargs -d '\n' "$home/bin/javap" -c -p -m java.base <"$work/names" >"$work/javap.out" 2>"$work/javap.err" || true
javap_ms=$(($(now_ms) - start))
# What javap printed counts, not what it was asked for.
javap_classes=$(grep -c '^}' "$work/javap.out")

start=$(now_ms)
"$roundtrip" --jdk "$home" --stage "$stage" | tee "$work/race.out"
race_ms=$(($(now_ms) - start))
race_classes=$(sed -n 's/^\([0-9]*\) classes, .*/\1/p' "$work/race.out")
peak=$(sed -n 's/.* peak \([0-9]*\) MB$/\1/p' "$work/race.out")

awk -v jm="$javap_ms" -v jc="$javap_classes" -v rm="$race_ms" -v rc="$race_classes" -v peak="$peak" 'BEGIN {
    j = jm / jc; r = rm / rc
    printf "javap: %d classes in %.1f s, %.3f ms each\n", jc, jm / 1000, j
    printf "race:  %d classes in %.1f s, %.3f ms each, peak %d MB\n", rc, rm / 1000, r, peak
    printf "ratio: %.1f (at least 5 wanted)\n", j / r
    exit !(jc > 1000 && j / r >= 5 && peak < 1536)
}'
