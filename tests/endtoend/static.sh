#!/usr/bin/env bash
# Measures the static half on the end-to-end programs: no program is run.
#
#   NAME_race.java    every `// race: KIND FIELD` must be among the warnings: a miss is a failure
#   NAME_norace.java  should give no warning; more than the allowed share with one is a failure.  A program that
#                     is free of races in the runs of a test only has `// static race: KIND FIELD`, and why
set -euo pipefail

usage() {
    cat >&2 <<'USAGE'
usage: static.sh [OPTION...] BUILD_DIR
  --jdk HOME         JDK to compile and analyse with (default: the one of the java command)
  --only PATTERN     only the programs whose name matches this glob, e.g. 'Atomic*_race'
  --max-warned PCT   share of race-free programs that may get a warning (default 100: just say it)
  --jobs N           programs analysed at once (default 2)
  --keep DIR         put the JSON reports here
USAGE
    exit 64
}

die() {
    echo "static.sh: $*" >&2
    exit 1
}

jdk= only='*' max_warned=100 jobs=2 keep= build=
while (($#)); do
    case $1 in
        --jdk) jdk=${2:?} && shift 2 ;;
        --only) only=${2:?} && shift 2 ;;
        --max-warned) max_warned=${2:?} && shift 2 ;;
        --jobs) jobs=${2:?} && shift 2 ;;
        --keep) keep=${2:?} && shift 2 ;;
        -*) usage ;;
        *) [[ -z $build ]] || usage
           build=$1 && shift ;;
    esac
done
[[ -n $build && -x $build/race ]] || usage
command -v jq >/dev/null || die "jq is needed to read the reports"
if [[ -z $jdk ]]; then
    java=$(readlink -f "$(command -v java)") || die "no java on the PATH; give --jdk"
    jdk=${java%/bin/java}
fi
[[ -x $jdk/bin/javac ]] || die "$jdk: no JDK there (bin/javac is missing)"
version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$jdk/release")

programs=$(cd "$(dirname "$0")/programs" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[[ -n $keep ]] && mkdir -p "$keep" || keep=$work/reports
mkdir -p "$work/classes" "$keep"

names=()
for file in "$programs"/$only.java; do
    [[ -f $file ]] || die "no program matches $only"
    need=$(sed -n '1s/^\/\/ min-jdk: *\([0-9]*\).*/\1/p' "$file")
    if [[ -n $need ]] && ((version < need)); then
        echo "left out: $(basename "$file") needs JDK $need"
        continue
    fi
    names+=("$(basename "$file" .java)")
done
sources=("${names[@]/#/$programs/}")
"$jdk/bin/javac" -nowarn -g -d "$work/classes" "${sources[@]/%/.java}" 2>"$work/javac" ||
    { cat "$work/javac" >&2; die "the programs do not compile"; }

# One program: its own classes only, so that the report speaks of nothing else.
analyse() {
    local name=$1 cp=$work/cp/$1
    mkdir -p "$cp"
    cp "$work/classes/$name.class" "$cp/"
    find "$work/classes" -maxdepth 1 -name "$name\$*.class" -exec cp {} "$cp/" \;
    "$build/race" analyze -cp "$cp" -m "$name" --jdk "$jdk" --benign-off all --format json --quiet \
        >"$keep/$name.json" 2>"$keep/$name.err" || echo "$? $(head -1 "$keep/$name.err")" >"$keep/$name.failed"
}
export -f analyse
export work keep build jdk
rm -f "$keep"/*.failed
printf '%s\n' "${names[@]}" | xargs -P "$jobs" -I{} bash -c 'analyse {}'

bad=0 found=0 expected=0 clean=0 warned=0
for name in "${names[@]}"; do
    if [[ -f $keep/$name.failed ]]; then
        echo "FAILED $name: $(cat "$keep/$name.failed")"
        ((++bad))
        continue
    fi
    warnings=$(jq -r '.races[] | "\(.kind) \(.field)"' "$keep/$name.json" | sort -u)
    if [[ $name == *_norace ]] && ! grep -q '^// static race:' "$programs/$name.java"; then
        if [[ -z $warnings ]]; then
            clean=$((clean + 1))
        else
            warned=$((warned + 1))
            echo "warned $name: $(tr '\n' ',' <<<"$warnings")"
        fi
        continue
    fi
    while read -r want; do
        expected=$((expected + 1))
        if grep -qxF "$want" <<<"$warnings"; then
            found=$((found + 1))
        else
            echo "MISSED $name: $want"
            bad=$((bad + 1))
        fi
    done < <(sed -nE 's/^\/\/ (static )?race: *//p' "$programs/$name.java")
done
total=$((clean + warned))
share=$(awk -v n="$warned" -v of="$total" 'BEGIN { printf "%.1f", of ? n * 100 / of : 0 }')
echo "races announced: $expected, warned of: $found; race-free programs: $total, with a warning: $warned ($share%)"
((bad == 0)) || exit 1
awk -v share="$share" -v most="$max_warned" 'BEGIN { exit share > most }' || die "more than $max_warned% of the race-free programs got a warning"
