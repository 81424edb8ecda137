#!/bin/bash
# Speed of the call graph and points-to analysis: a table of programs with their targets, and the growth exponent.
#
# usage: pointsto.sh RACE [JARS] [OUT]
# RACE is the tool; JARS a folder with commons-pool2, lucene-core, h2 and derby jars (default /usr/share/java;
# what is not there is left out, and said so).  Each program is analysed without contexts (k 0), with -k 1, and as
# `race analyze` does by default (auto), where the time is that of the whole analysis.  OUT gets the table, dated.
# Fails when a program misses its target by more than 1.5 times, or one that has a target does not end at all.
set -u
race=$1
jars=${2:-/usr/share/java}
out=${3:-}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
slack=1.5 # a busy machine costs CPU time as well
stop=600  # seconds of CPU for one row

printf '%-14s %-4s %9s %9s %9s %8s %9s %8s %8s  %s\n' program k methods app contexts objects 'avg set' 'CPU s' 'RSS MB' verdict |
    tee "$work/table"

# Targets in CPU seconds and megabytes: small programs without contexts and as by default, and Derby whole.
target() { # program k
    case $1/$2 in
    hello/0 | bank/0 | cache/0 | crawler/0 | orders/0) echo 3 4096 ;;
    hello/auto | bank/auto | cache/auto | crawler/auto | orders/auto) echo 6 4096 ;;
    derby/1) echo 60 4096 ;;
    esac
}

row() { # name k words...
    local name=$1 k=$2 wanted code=0
    shift 2
    local words=(dump stats -k "$k")
    [ "$k" = auto ] && words=(analyze --stats --quiet --fail-on none -o "$work/plan")
    wanted=$(target "$name" "$k")
    (ulimit -t $stop && exec /usr/bin/time -f '%U %S %M' -o "$work/time" "$race" "${words[@]}" "$@") >"$work/out" 2>"$work/err" || code=$?
    if [ $code -ne 0 ]; then
        printf '%-14s %-4s not done (exit code %d; %d s of CPU are allowed): %s %s\n' "$name" "$k" $code $stop \
            "$(tail -1 "$work/err")" "${wanted:+MISSED}" | tee -a "$work/table"
        return
    fi
    awk -v name="$name" -v k="$k" -v times="$(tail -1 "$work/time")" -v wanted="$wanted" -v slack=$slack '
        /^reachable methods/ { methods = $3; app = $5; sub(/\)/, "", app) }
        /^methods in/ { insts = $4 }
        /^abstract objects/ { objs = $3 }
        /^average/ { avg = $4 }
        END {
            split(times, t, " ")
            cpu = t[1] + t[2]; mb = t[3] / 1024
            if (split(wanted, w, " ") == 2) {
                verdict = cpu > w[1] * slack || mb > w[2] * slack ? "MISSED" : cpu > w[1] || mb > w[2] ? "over" : "met"
                verdict = verdict " (" w[1] " s, " w[2] " MB)"
            }
            printf "%-14s %-4s %9d %9d %9d %8d %9.1f %8.2f %8.0f  %s\n", name, k, methods, app, insts, objs, avg, cpu, mb, verdict
        }' "$work/out" "$work/err" | tee -a "$work/rows" "$work/table"
}

all() { # name words...
    local name=$1 k
    shift
    for k in 0 1 auto; do row "$name" "$k" "$@"; done
}

mkdir "$work/hello"
echo 'public class Hello { public static void main(String[] a) { System.out.println("hello"); } }' >"$work/hello/Hello.java"
javac -d "$work/hello" "$work/hello/Hello.java" || exit 1
all hello -cp "$work/hello" -m Hello
for sample in bank cache crawler orders; do
    folder=$here/../../samples/$sample
    [ -d "$folder" ] || continue
    javac -g -nowarn -d "$work/$sample" "$folder"/*.java || exit 1
    main=$(cd "$work/$sample" && find . -name Main.class | sed 's#^\./##; s#\.class$##; s#/#.#g')
    all "$sample" -cp "$work/$sample" -m "$main"
done
program() { # name jar-pattern words...
    local name=$1 jar
    jar=$(compgen -G "$jars/$2" | head -1)
    shift 2
    if [ -z "$jar" ]; then echo "$name: no such jar in $jars, left out"; else all "$name" -cp "$jar" "$@"; fi
}
program commons-pool 'commons-pool2*.jar' --open org.apache.commons.pool2
program lucene 'lucene-core*.jar' --open org.apache.lucene.index org.apache.lucene.search
program h2 'h2*.jar' -m org.h2.tools.Shell
program derby 'derby.jar' --open org.apache.derby

# CPU seconds as a power of the reachable methods n and of n log n (1 or less: no worse than n log n): a least-squares
# fit over all programs of a column, and what the two ends alone say.  That of `auto` is one of the races' stages too.
growth() { # k
    awk -v k="$1" -v slack=$slack '
        function power(x, lowest, highest) { return log(highest / lowest) / x }
        $2 == k && $8 > 0 {
            n++; m[n] = $3; t[n] = $8
            for (kind = 1; kind <= 2; kind++) {
                x = log(kind == 1 ? $3 : $3 * log($3)); y = log($8)
                sx[kind] += x; sy[kind] += y; sxx[kind] += x * x; sxy[kind] += x * y
            }
            if (n == 1 || $3 < m[lo]) lo = n
            if (n == 1 || $3 > m[hi]) hi = n
        }
        END {
            if (n < 2 || m[hi] == m[lo]) exit
            for (kind = 1; kind <= 2; kind++)
                fit[kind] = (n * sxy[kind] - sx[kind] * sy[kind]) / (n * sxx[kind] - sx[kind] * sx[kind])
            ends = power(log(m[hi] * log(m[hi]) / (m[lo] * log(m[lo]))), t[lo], t[hi])
            printf "k=%s: CPU grows as n^%.2f, (n log n)^%.2f over %d programs; ends (n log n)^%.2f (%d -> %d methods): %s\n",
                k, fit[1], fit[2], n, ends, m[lo], m[hi],
                fit[2] <= 1 ? "met (n log n)" : fit[2] <= slack ? "over (n log n)" : "MISSED (n log n)"
        }' "$work/rows"
}
for k in 0 1 auto; do growth "$k"; done | tee -a "$work/table"

if [ -n "$out" ]; then
    {
        date -u '+%Y-%m-%d %H:%M UTC'
        echo "$(nproc) x $(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -1), load $(cut -d' ' -f1-3 /proc/loadavg)"
        cat "$work/table"
    } >"$out"
fi
! grep -q MISSED "$work/table"
