#!/bin/bash
# Compares `race dump` with the expected text beside each program.
#
# Every folder has Java sources and a file `cases`, one case per line: the expected file, then the words after
# `race dump` (the main class is given with -m).  Lines about the JDK's own objects are left out, so that the
# result does not depend on its release.  With UPDATE=1 the expected files are written instead; read the diff.
set -u
race=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
checks=0 failed=0

run_case() { # folder file words...
    local folder=$1 file=$2
    shift 2
    checks=$((checks + 1))
    if ! "$race" dump "$@" -cp "$work/$folder" >"$work/raw" 2>"$work/err"; then
        echo "FAILED: $folder: race dump $*: $(cat "$work/err")"
        failed=$((failed + 1))
        return
    fi
    # Objects made by the JDK, its methods, its objects that are merged by class, objects of models, caught exceptions.
    grep -v -E '(@|\] )(java|jdk|sun|com\.sun)\.|\[(java|jdk|sun)\.[^]]*\*\]|"|=catch:' "$work/raw" |
        LC_ALL=C sort >"$work/actual"
    if [ -n "${UPDATE:-}" ]; then
        cp "$work/actual" "$here/$folder/$file"
    elif ! diff -u "$here/$folder/$file" "$work/actual" >"$work/diff"; then
        echo "FAILED: $folder: race dump $*"
        cat "$work/diff"
        failed=$((failed + 1))
    fi
}

for cases in "$here"/*/cases; do
    folder=$(basename "$(dirname "$cases")")
    mkdir -p "$work/$folder"
    javac -g -d "$work/$folder" "$here/$folder"/*.java || exit 1
    while read -r file words; do
        case $file in '' | '#'*) continue ;; esac
        # shellcheck disable=SC2086  # the words are words
        run_case "$folder" "$file" $words
    done <"$cases"
done
echo "$checks checks, $failed failed"
[ "$failed" -eq 0 ] && [ "$checks" -gt 0 ]
