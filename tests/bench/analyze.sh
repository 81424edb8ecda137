#!/usr/bin/env bash
# Speed of the whole `race analyze`, JDK included: CPU seconds and memory of each program against its target, and
# which part of the analysis the time goes to.
#
# usage: analyze.sh RACE [OUT]
# The drivers of the real programs are those of tests/real; a program whose jars are not installed is left out, and
# said so.  Fails when a program takes more than 1.5 times its target: a busy machine costs CPU time as well.
set -euo pipefail
race=$1 out=${2:-/dev/null}
tests=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
slack=1.5 missed=0

row() { # row NAME SECONDS MEGABYTES WORDS...: prints its line
    local name=$1 seconds=$2 memory=$3 code=0 stop
    shift 3
    stop=$((seconds * 4)) # of CPU, so that what others do to the machine does not end it
    (ulimit -t "$stop" && exec /usr/bin/time -f '%U %S %M' -o "$work/time" "$race" analyze --stats --quiet --fail-on none \
        -o "$work/plan" "$@") >/dev/null 2>"$work/err" || code=$?
    if ((code != 0)); then
        printf '%-14s %7d   not done after %d s of CPU (exit code %d)\n' "$name" "$seconds" "$stop" "$code"
        return 1
    fi
    awk -v name="$name" -v seconds="$seconds" -v memory="$memory" -v slack="$slack" -v times="$(tail -n 1 "$work/time")" '
        /^seconds of CPU/ { points = $NF }
        / pairs, [0-9.]+ s$/ { races += $(NF - 1) }
        /^ultimate / { pairs = $2 }
        /^types: / { types = $(NF - 1) }
        END {
            split(times, t, " ")
            cpu = t[1] + t[2]; mb = t[3] / 1024
            late = cpu > seconds * slack || mb > memory * slack
            verdict = late ? "MISSED" : cpu > seconds || mb > memory ? "over" : "met"
            printf "%-14s %7d %8.2f %8.0f %9.2f %7.2f %7.2f %8d  %s\n", name, seconds, cpu, mb, points, races, types, pairs, verdict
            exit late
        }' "$work/err"
}

measure() { # measure NAME SECONDS MEGABYTES WORDS...
    row "$@" >"$work/row" || missed=$((missed + 1))
    tee -a "$work/table" <"$work/row"
}

printf '%-14s %7s %8s %8s %9s %7s %7s %8s  %s\n' program target 'CPU s' 'RSS MB' points-to races types pairs verdict |
    tee "$work/table"
for folder in "$tests"/../samples/*/; do
    name=$(basename "$folder")
    [[ -f $folder/Main.java && $name != vthreads ]] || continue
    javac -g -nowarn -d "$work/$name" "$folder"/*.java
    measure "$name" 5 6144 -cp "$work/$name" -m "$name.Main"
done

real() { # real NAME SECONDS JAR...
    local name=$1 seconds=$2 jar cp=
    shift 2
    for jar in "$@"; do
        [[ -f /usr/share/java/$jar.jar ]] || { echo "$name: $jar.jar is missing, left out" | tee -a "$work/table"; return 0; }
        cp+=:/usr/share/java/$jar.jar
    done
    javac -g -nowarn -cp "${cp#:}" -sourcepath "$tests/real/programs" -d "$work/$name" "$tests/real/programs/$name.java"
    measure "$name" "$seconds" 6144 -cp "$work/$name$cp" -m "$name"
}
real PoolLoad 10 commons-pool2
real LuceneLoad 60 lucene-core-4.10.4 lucene-analyzers-common-4.10.4
real H2Load 60 h2
real DerbyLoad 120 derby
{
    date -u '+%Y-%m-%d %H:%M UTC'
    echo "$(nproc) x $(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -1), load $(cut -d' ' -f1-3 /proc/loadavg)"
    cat "$work/table"
} >"$out"
((missed == 0)) || { echo "$missed missed the target by more than $slack times"; exit 1; }
