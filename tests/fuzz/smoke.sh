#!/usr/bin/env bash
# Builds the fuzz targets with clang in BUILD-DIR and runs each for a while: class files from seeds that javac makes,
# plans and results from those in seeds/.
#
#   smoke.sh BUILD-DIR [SECONDS [TARGET...]]       (RACE_FUZZ_SEED=N for another run of the dice)
#
# A crash leaves its input in BUILD-DIR/crash-*; give that file to BUILD-DIR/tests/fuzz/TARGET to replay it.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=${1:?usage: smoke.sh BUILD-DIR [SECONDS [TARGET...]]}
seconds=${2:-}
targets=("${@:3}")
((${#targets[@]})) || targets=(classfile_fuzz plan_fuzz result_fuzz)

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
ninja -C "$build" "${targets[@]}" >"$build.log" 2>&1 || { cat "$build.log"; exit 1; }

# The same sources for several class-file versions, with and without debug tables.
compile() { # name, javac options...
    local out=$build/seeds/$1 class
    rm -rf "$out" && mkdir -p "$out"
    javac -nowarn -Xlint:-options "${@:2}" -d "$out" "$here"/seeds/old/*.java
    [ "$1" != current ] || javac -nowarn -g -d "$out" "$here"/seeds/*.java
    while IFS= read -r class; do
        cp "$class" "$corpus/$1-$(basename "$class")"
    done < <(find "$out" -name '*.class')
}
seeds_of_classfile_fuzz() {
    compile release8 --release 8 -g
    compile nodebug --release 8 -g:none
    compile current -g
}
seeds_of_plan_fuzz() { cp "$here"/seeds/plan/* "$corpus"; }
seeds_of_result_fuzz() { cp "$here"/seeds/result/* "$corpus"; }

for target in "${targets[@]}"; do
    corpus=$build/corpus/$target
    rm -rf "$corpus" && mkdir -p "$corpus"
    "seeds_of_$target"
    echo "$target: $(find "$corpus" -type f | wc -l) seeds"

    # First without mutations: every seed must be accepted as it is.
    for seed in "$corpus"/*; do
        RACE_FUZZ_ACCEPT=1 "$build/tests/fuzz/$target" "$seed" >"$build/fuzz.log" 2>&1 ||
            { cat "$build/fuzz.log"; exit 1; }
    done

    time=$seconds
    if [[ -z $time ]]; then [[ $target == classfile_fuzz ]] && time=20 || time=8; fi
    fresh=$build/fresh/$target
    mkdir -p "$fresh"
    "$build/tests/fuzz/$target" -max_total_time="$time" -timeout=10 -rss_limit_mb=2048 -max_len=20000 \
        -seed="${RACE_FUZZ_SEED:-1}" -dict="$here/${target%_fuzz}.dict" -artifact_prefix="$build/" -print_final_stats=1 \
        "$fresh" "$corpus" >"$build/fuzz.log" 2>&1 || { tail -60 "$build/fuzz.log"; exit 1; }
    grep -E 'DONE|number_of_executed_units|peak_rss_mb' "$build/fuzz.log"
done
