#!/usr/bin/env bash
# Builds the fuzz target with clang in BUILD-DIR and runs it for a while from seeds that javac makes.
#
#   smoke.sh BUILD-DIR [SECONDS]       (RACE_FUZZ_SEED=N for another run of the dice)
#
# A crash leaves its input in BUILD-DIR/crash-*; give that file to BUILD-DIR/tests/fuzz/classfile_fuzz to replay it.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=${1:?usage: smoke.sh BUILD-DIR [SECONDS]}
seconds=${2:-20}

if ! command -v clang >/dev/null; then
    echo "SKIPPED: fuzzing needs clang, which is not installed (apt install clang)"
    exit 77
fi
if ! command -v javac >/dev/null; then
    echo "SKIPPED: the seed corpus needs javac, which is not on PATH"
    exit 77
fi

CC=clang cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DRACE_FUZZ=ON -DRACE_SANITIZE=ON >"$build.log" 2>&1 || { cat "$build.log"; exit 1; }
ninja -C "$build" classfile_fuzz >"$build.log" 2>&1 || { cat "$build.log"; exit 1; }

# The same sources for several class-file versions, with and without debug tables.
corpus=$build/corpus
rm -rf "$corpus" && mkdir -p "$corpus"
compile() { # name, javac options...
    local out=$build/seeds/$1
    rm -rf "$out" && mkdir -p "$out"
    javac -nowarn -Xlint:-options "${@:2}" -d "$out" "$here"/seeds/old/*.java
    [ "$1" != current ] || javac -nowarn -g -d "$out" "$here"/seeds/*.java
    local class
    while IFS= read -r class; do
        cp "$class" "$corpus/$1-$(basename "$class")"
    done < <(find "$out" -name '*.class')
}
compile release8 --release 8 -g
compile nodebug --release 8 -g:none
compile current -g
echo "$(find "$corpus" -type f | wc -l) seeds"

# First without mutations: every seed must be accepted as it is.
for seed in "$corpus"/*; do
    RACE_FUZZ_ACCEPT=1 "$build/tests/fuzz/classfile_fuzz" "$seed" >"$build/fuzz.log" 2>&1 ||
        { cat "$build/fuzz.log"; exit 1; }
done

fresh=$build/fresh
mkdir -p "$fresh"
"$build/tests/fuzz/classfile_fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=20000 \
    -seed="${RACE_FUZZ_SEED:-1}" -dict="$here/classfile.dict" -artifact_prefix="$build/" -print_final_stats=1 \
    "$fresh" "$corpus" >"$build/fuzz.log" 2>&1 || { tail -60 "$build/fuzz.log"; exit 1; }
grep -E 'DONE|number_of_executed_units|peak_rss_mb' "$build/fuzz.log"
