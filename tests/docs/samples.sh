#!/usr/bin/env bash
# `race check` on each sample confirms the race that the first line of its Main.java documents, and no other one,
# and its README shows that report.
# usage: samples.sh SOURCE_DIR RACE
set -uo pipefail

source=$1 race=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$source/samples" || exit 1
ran=0 bad=0 skipped=()

fail() {
    bad=$((bad + 1))
    echo "FAILED: $sample: $1"
}

# find_jdk LEAST: the home of `java` on PATH, or of another JDK beside it, that is new enough.
find_jdk() {
    local own home version
    own=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
    for home in "$own" "$(dirname "$own")"/*; do
        version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release" 2>/dev/null)
        [[ -x $home/bin/javac ]] && ((${version:-0} >= $1)) && echo "$home" && return
    done
    return 1
}

# check SAMPLE JDK
check() {
    local jdk=$2 kind field code
    read -r _ _ kind field <"$sample/Main.java"
    "$jdk/bin/javac" -d "$work/$sample" "$sample"/*.java || { fail "does not compile" && return; }
    # A schedule may hide a race on a busy machine; the delays of --confirm make that unlikely.
    "$race" check --jdk "$jdk" --confirm --quiet -cp "$work/$sample" -m "$sample.Main" --format json -o "$work/report" \
        >"$work/out" 2>"$work/err" </dev/null
    code=$?
    ran=$((ran + 1))
    ((code == 66)) || { fail "exit code $code" && tail -n 5 "$work/err" && return; }
    jq -e --arg kind "$kind" --arg field "$field" \
        '[.races[] | select(.verdict == "confirmed") | [.kind, .field]] | unique == [[$kind, $field]]' \
        "$work/report" >/dev/null || {
        fail "confirmed is not exactly $kind $field but"
        jq -c '.races[] | select(.verdict == "confirmed") | [.kind, .field]' "$work/report"
    }
    # The whole story on one screen: what the program said, the races, what was proved and watched.
    "$race" check --jdk "$jdk" --confirm --quiet -cp "$work/$sample" -m "$sample.Main" >"$work/screen" 2>&1 </dev/null
    (($(wc -l <"$work/screen") <= 60)) || { fail "the report takes $(wc -l <"$work/screen") lines" && cat "$work/screen"; }
    grep -q '^  proved: ' "$work/screen" && grep -q '^  watched: ' "$work/screen" || fail "not proved or watched on the screen"
    grep -q "^DATA RACE R1: confirmed, .*$field\$" "$sample/README.md" || fail "README.md does not show the report"
}

for main in */Main.java; do
    sample=$(dirname "$main") least=17
    [[ $sample != vthreads ]] || least=21
    if jdk=$(find_jdk "$least"); then check "$sample" "$jdk"; else skipped+=("$sample (needs JDK $least)"); fi
done
((${#skipped[@]} == 0)) || echo "SKIPPED: ${skipped[*]}"
echo "$ran samples, $bad failed"
((ran >= 4 && bad == 0))
