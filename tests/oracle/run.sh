#!/usr/bin/env bash
# The literal algorithms of the thesis against the race pipeline, program by program, and Table 2.1 tuple by tuple;
# and the stages of the pipeline against what figures say of each: NAME-stages.txt beside NAME.java.
set -euo pipefail

usage() {
    echo "usage: run.sh [--table] [--stages] [--jobs N] [--random N] [--only PATTERN] BUILD_DIR [FOLDER...]" >&2
    exit 64
}

here=$(cd "$(dirname "$0")" && pwd)
table=0 stages=0 jobs=2 random=0 only='*' build= folders=()
while (($#)); do
    case $1 in
        --table) table=1 && shift ;;
        --stages) stages=1 && shift ;;
        --jobs) jobs=${2:?} && shift 2 ;;
        --random) random=${2:?} && shift 2 ;;
        --only) only=${2:?} && shift 2 ;;
        -*) usage ;;
        *) if [[ -z $build ]]; then build=$(cd "$1" && pwd); else folders+=("$(cd "$1" && pwd)"); fi
           shift ;;
    esac
done
[[ -n $build && -x $build/tests/oracle/oracle ]] || usage
oracle=$build/tests/oracle/oracle
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ((table)); then
    javac -nowarn -g -d "$work/table" "$here/Table21.java"
    "$oracle" --table "$here/Table21.java" "$work/table" Table21 | sort >"$work/found"
    grep -v '^#' "$here/table21-expected.txt" | sed 's/^ *[0-9]* //' | sort >"$work/wanted"
    diff "$work/wanted" "$work/found" || { echo "Table 2.1 differs (< the thesis, > found)"; exit 1; }
    echo "Table 2.1 with Figures 2.3 and 2.5: $(wc -l <"$work/found") tuples, all columns agree"
fi

if ((stages)); then # of the folders' programs, nothing else is compared
    differ=0 checks=0
    for wanted in $(printf '%s/*-stages.txt ' "${folders[@]}"); do
        source=${wanted%-stages.txt}.java name=$(basename "${wanted%-stages.txt}")
        javac -nowarn -g -d "$work/stages/$name" "$source"
        "$oracle" --stages "$source" "$work/stages/$name" "$name" | LC_ALL=C sort >"$work/found"
        checks=$((checks + 1))
        diff <(grep -v '^#' "$wanted" | LC_ALL=C sort) "$work/found" || { echo "$name: stages differ (< the figure, > found)"; differ=$((differ + 1)); }
    done
    echo "$checks figures, $differ differ"
    ((differ == 0 && checks > 0)) || exit 1
    exit 0
fi

# Random programs: threads that read and write the fields of shared, private and handed-over objects.
make_random() {
    java "$here/Random21.java" "$1" >"$work/random/$1/R.java"
    javac -nowarn -g -d "$work/random/$1" "$work/random/$1/R.java"
}
check() { # check NAME CLASS_PATH MAIN
    local code=0
    "$oracle" "$2" "$3" >"$work/$1.log" 2>&1 || code=$?
    if ((code == 0)); then
        : >"$work/$1.agreed"
    else
        { echo "DIFFERS $1 (exit code $code)"; sed 's/^/    /' "$work/$1.log"; } >"$work/$1.differs"
    fi
}
export -f check make_random
export work oracle here

: >"$work/rows"
for ((i = 1; i <= random; i++)); do
    mkdir -p "$work/random/$i"
    make_random "$i"
    echo "random$i $work/random/$i R" >>"$work/rows"
done
for folder in "${folders[@]}"; do
    for source in "$folder"/*.java; do
        name=$(basename "$source" .java)
        # shellcheck disable=SC2053 # the right side is meant as a pattern
        [[ $name == $only ]] && grep -q 'void main(' "$source" || continue
        ! grep -q '^// min-jdk' "$source" || continue
        javac -nowarn -g -d "$work/classes/$name" "$source"
        echo "$name $work/classes/$name $name" >>"$work/rows"
    done
done
xargs -r -P "$jobs" -L 1 bash -c 'check "$@"' bash <"$work/rows"
find "$work" -maxdepth 1 -name '*.differs' -exec cat {} +
total=$(wc -l <"$work/rows") agreed=$(find "$work" -maxdepth 1 -name '*.agreed' | wc -l)
((total == 0)) || echo "$total programs, $agreed agree"
((total + table > 0)) || usage
((agreed == total))
