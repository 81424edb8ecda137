#!/bin/bash
# Measures the kernels under all modes of the agent against the plain JVM and prints tables of ratios and of what the plan
# left to check. A run with no options is the one whose table is kept in results/; on two cores it takes about half an hour
# if no mode passes the limit (a base run takes 2 to 3 s; five rounds of it in five modes, at 2.5 for full, some 25 minutes).
# Runs are interleaved (each repetition runs every mode once), so that a slow spell of the machine hits all modes.
set -u

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

usage() {
    cat <<'EOF'
usage: run.sh [options]
  --modes "M ..."     modes to measure (default "base full field method combined"), or one given by --define
  --kernels PATTERN   only kernels whose name matches this extended regular expression (Hello is a kernel, too)
  --repeat N          rounds, each with one run per kernel and mode; the table shows medians (default 5)
  --fast              two rounds of shorter runs, to look at one kernel: run.sh --fast --kernels Tsp --modes combined
  --agent LIB         librace.so (default: found below build/)
  --race TOOL         the race command, for the plans of field, method and combined (default: found below build/)
  --define NAME=ARGS  a mode that passes ARGS to the JVM
  --small             very short runs, to see that everything works; ratios then mean little
  --threads N         worker threads of each kernel (default 2)
  --verify            also compare the confirmed races of each agent mode with the "// race:" lines of the kernels
  --limit SECONDS     time limit of one run (default 60); a mode that passes it is not run again with that kernel
  --out FILE          write the tables to FILE, too (default for a whole run: results/kernels-DATE.txt beside this script)
environment: JAVA (default: java on the path), BENCH_JAVA_OPTS (default: -Xmx192m; given to every run)
exit code: 0; 1 if a run failed, printed something else than base, or --verify found a difference; 64 wrong usage
EOF
}

die() {
    echo "run.sh: $1" >&2
    exit "${2:-64}"
}

all_modes="base full field method combined"
modes=$all_modes
pattern=.
repeat=5
agent=
race=
out=
limit=60
verify=0
kernel_args=()
declare -A defined=()
while [ $# -gt 0 ]; do
    case $1 in
        --modes | --kernels | --repeat | --agent | --race | --define | --threads | --limit | --out)
            [ $# -ge 2 ] || die "$1 needs a value"
            case $1 in
                --modes) modes=$2 ;;
                --kernels) pattern=$2 ;;
                --repeat) repeat=$2 ;;
                --agent) agent=$2 ;;
                --race) race=$2 ;;
                --define) defined[${2%%=*}]=${2#*=} ;;
                --threads) kernel_args+=(--threads "$2") ;;
                --limit) limit=$2 ;;
                --out) out=$2 ;;
            esac
            shift
            ;;
        --small) kernel_args+=(--small) ;;
        --fast) kernel_args+=(--fast) repeat=2 ;;
        --verify) verify=1 ;;
        --help | -h) usage; exit 0 ;;
        *) usage >&2; die "unknown option $1" ;;
    esac
    shift
done
if [ "$modes" = "$all_modes" ] && [ "$pattern" = . ] && [ ${#kernel_args[@]} = 0 ] && [ -z "$out" ]; then
    out=$here/results/kernels-$(date -u +%F).txt
fi
modes="base $(sed 's/ base / /g' <<<" $modes ")" # base comes first: the others are compared with it
[[ $repeat =~ ^[1-9][0-9]*$ ]] || die "--repeat wants a positive number, not $repeat"

java=${JAVA:-java}
read -r -a java_opts <<<"${BENCH_JAVA_OPTS--Xmx192m}"
command -v "$java" >/dev/null || die "no java: set JAVA" 1
javac=$(dirname "$(readlink -f "$(command -v "$java")")")/javac
[ -x "$javac" ] || die "no javac beside $java: a JDK is needed" 1
[ -x /usr/bin/time ] || die "/usr/bin/time is missing: install the package time" 1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/classes" "$work/results" "$work/logs"

# A kernel is a source with a header line that says what races it has.
kernels=()
for source in "$here"/kernels/*.java; do
    name=$(basename "$source" .java)
    if grep -qE '^// (race|norace)' "$source" && [[ $name =~ $pattern ]]; then
        kernels+=("$name")
    fi
done
[ ${#kernels[@]} -gt 0 ] || die "no kernel matches $pattern"

# Each in a folder of its own, so that totals count the kernel's own classes.
for kernel in "${kernels[@]}"; do
    "$javac" --release 17 -d "$work/classes/$kernel" "$here/kernels/$kernel.java" "$here"/kernels/{Args,Rng}.java ||
        die "$kernel does not compile" 1
done

find_built() {
    find "$root/build" -maxdepth 3 -type f -name "$1" ${2:+-executable} 2>/dev/null | head -n 1
}

# True for modes that load the agent.
is_agent_mode() {
    case $1 in full | field | method | combined) return 0 ;; *) return 1 ;; esac
}

for mode in $modes; do
    if is_agent_mode "$mode"; then
        agent=${agent:-$(find_built librace.so)}
        [ -f "$agent" ] || die "mode $mode needs the agent: give --agent or build it" 1
        agent=$(readlink -f "$agent")
        if [ "$mode" != full ] || [ $verify = 1 ]; then
            race=${race:-$(find_built race x)}
            [ -x "$race" ] || die "mode $mode needs the race command: give --race or build it" 1
        fi
    elif [ "$mode" != base ] && [ -z "${defined[$mode]+set}" ]; then
        die "unknown mode $mode"
    fi
done

# The plan of a kernel, made once and shared by all modes that want one. The plan is no part of the measured time.
plan_of() {
    local plan=$work/$1.plan
    if [ ! -e "$plan" ]; then
        "$race" analyze -cp "$work/classes/$1" -m "bench.$1" -o "$plan" >"$work/logs/$1.analyze" 2>&1
        local code=$?
        # 66 only says that the analysis has warnings.
        if { [ $code != 0 ] && [ $code != 66 ]; } || [ ! -s "$plan" ]; then
            echo "run.sh: $1: analysis failed with exit code $code:" >&2
            head -n 5 "$work/logs/$1.analyze" >&2
            return 1
        fi
    fi
    echo "$plan"
}

# Sets jvm_args to what a mode adds to the command line. New modes go here.
mode_args() {
    local mode=$1 kernel=$2 plan
    local results="out=$work/results/$kernel.$mode.%p.jsonl"
    jvm_args=()
    case $mode in
        base) ;;
        full) jvm_args=("-agentpath:$agent=mode=full,exitcode=0,$results") ;;
        field | method | combined)
            plan=$(plan_of "$kernel") || return 1
            jvm_args=("-agentpath:$agent=mode=$mode,plan=$plan,exitcode=0,$results")
            ;;
        *) read -r -a jvm_args <<<"${defined[$mode]}" ;;
    esac
}

failed=0
declare -A broken=()

# One run: appends "kernel mode wall cpu rss" (seconds, seconds, KiB) to the raw data.
run_once() {
    local kernel=$1 mode=$2 start end code
    local log=$work/logs/$kernel.$mode
    mode_args "$mode" "$kernel" || { broken[$kernel.$mode]=plan; return; }
    start=${EPOCHREALTIME/[.,]/}
    timeout "$limit" /usr/bin/time -f '%U %S %M' -o "$work/time" \
        "$java" "${java_opts[@]}" "${jvm_args[@]}" -cp "$work/classes/$kernel" "bench.$kernel" "${kernel_args[@]}" \
        >"$log.out" 2>"$log.err"
    code=$?
    end=${EPOCHREALTIME/[.,]/}
    if [ $code = 124 ]; then # counts as what the limit allows, which is too little
        broken[$kernel.$mode]="over the limit of $limit s"
        echo "$kernel $mode $limit" >>"$work/over"
        return
    fi
    if [ $code != 0 ]; then
        broken[$kernel.$mode]="exit code $code"
        echo "run.sh: $kernel, mode $mode: exit code $code" >&2
        tail -n 5 "$log.err" >&2
        return
    fi
    # The first base run says what the kernel has to print, in every mode and in the later base runs.
    [ "$mode" != base ] || [ -e "$work/logs/$kernel.expected" ] || cp "$log.out" "$work/logs/$kernel.expected"
    if ! cmp -s "$work/logs/$kernel.expected" "$log.out"; then
        broken[$kernel.$mode]="other output"
        echo "run.sh: $kernel, mode $mode: output differs from the first base run: $(head -n 1 "$log.out")" >&2
    else
        tail -n 1 "$work/time" | awk -v k="$kernel" -v m="$mode" -v w=$((end - start)) \
            '{ printf "%s %s %.6f %.2f %d\n", k, m, w / 1e6, $1 + $2, $3 }' >>"$work/raw"
    fi
}

: >"$work/raw" >"$work/ratios" >"$work/over"
for ((rep = 1; rep <= repeat; rep++)); do
    for kernel in "${kernels[@]}"; do
        [ -t 2 ] && printf '\rrun %d/%d: %-14s' "$rep" "$repeat" "$kernel" >&2
        for mode in $modes; do
            [ -n "${broken[$kernel.$mode]+set}" ] || run_once "$kernel" "$mode"
        done
    done
done
[ -t 2 ] && printf '\r%-40s\r' '' >&2

cpu_model() {
    local model
    model=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1)
    echo "${model:-$(uname -m)}"
}

print_header() {
    echo "# Kernels under the agent: ratios to the plain JVM, median of $repeat interleaved runs"
    echo "# date: $(date -u '+%Y-%m-%d %H:%M UTC')"
    echo "# machine: $(cpu_model), $(nproc) cores, $(awk '/MemTotal/ { printf "%.0f", $2 / 1048576 }' /proc/meminfo) GB"
    echo "# JDK: $("$java" -version 2>&1 | sed -n 2p)"
    echo "# JVM options: ${java_opts[*]:-none}; kernel options: ${kernel_args[*]:-none}"
}

# Ratios of medians per kernel (of a mode over the limit: the least that they can be), then median, worst and geometric mean of each column; Hello apart, in seconds.
print_table() {
    awk -v modes="$modes" -v kernels="${kernels[*]}" -v ratios="$work/ratios" '
        function sorted(text, v,    n, i, j, t) {
            n = split(text, v, " ")
            for (i = 2; i <= n; i++) {
                t = v[i] + 0
                for (j = i - 1; j > 0 && v[j] + 0 > t; j--) v[j + 1] = v[j]
                v[j + 1] = t
            }
            return n
        }
        function median(text,    v, n) {
            n = sorted(text, v)
            return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
        }
        function largest(text,    v, n) { n = sorted(text, v); return v[n] }
        function geomean(text,    v, n, i, s) {
            n = split(text, v, " ")
            for (i = 1; i <= n; i++) s += log(v[i])
            return exp(s / n)
        }
        function least(x) { return sprintf(" %7s", ">" sprintf("%.1f", x)) }
        function cell(x) { return x == "" ? sprintf(" %7s", "-") : sprintf(" %7.2f", x) }
        function row(name, how,    j, q) {
            printf "%-14s %8s %8s %8s", name, "", "", ""
            for (j = 2; j <= nm; j++) {
                printf "  |"
                for (q = 1; q <= 3; q++) {
                    if (all[j, q] == "") printf "%s", cell("")
                    else if (how == "median") printf "%s", cell(median(all[j, q]))
                    else if (how == "worst") printf "%s", cell(largest(all[j, q]))
                    else printf "%s", cell(geomean(all[j, q]))
                }
            }
            print ""
        }
        FILENAME ~ /over$/ { over[$1, $2] = $3; next }
        { for (q = 1; q <= 3; q++) values[$1, $2, q] = values[$1, $2, q] " " $(q + 2) }
        END {
            nk = split(kernels, kernel, " ")
            nm = split(modes, mode, " ")
            printf "%-14s %26s", "", "base"
            for (j = 2; j <= nm; j++) printf "  | %23s", mode[j]
            printf "\n%-14s %8s %8s %8s", "kernel", "wall s", "cpu s", "RSS MB"
            for (j = 2; j <= nm; j++) printf "  | %7s %7s %7s", "wall x", "cpu x", "RSS x"
            print ""
            for (i = 1; i <= nk; i++) {
                k = kernel[i]
                if (k == "Hello" || values[k, "base", 1] == "") continue
                for (q = 1; q <= 3; q++) base[q] = median(values[k, "base", q])
                printf "%-14s %8.2f %8.2f %8.0f", k, base[1], base[2], base[3] / 1024
                for (j = 2; j <= nm; j++) {
                    printf "  |"
                    for (q = 1; q <= 3; q++) {
                        text = values[k, mode[j], q]
                        is_over = (k, mode[j]) in over && q < 3
                        ratio = is_over ? over[k, mode[j]] / base[1] : text == "" ? "" : median(text) / base[q]
                        printf "%s", is_over ? least(ratio) : cell(ratio)
                        if (ratio != "") all[j, q] = all[j, q] " " ratio
                        if (ratio != "" && q == 2) print k, mode[j], ratio >ratios
                    }
                }
                print ""
                rows++
            }
            if (rows > 1 && nm > 1) { row("median", "median"); row("worst", "worst"); row("geomean", "geomean") }
            if (values["Hello", "base", 1] != "") {
                base[1] = median(values["Hello", "base", 1])
                printf "Hello: base %.3f s", base[1]
                for (j = 2; j <= nm; j++) {
                    text = values["Hello", mode[j], 1]
                    if (text != "") printf "; %s %+.3f s", mode[j], median(text) - base[1]
                }
                print " wall"
            }
        }' "$work/over" "$work/raw"
}

# The numbers of the line "proved: ..." of the analysis: fields "n/total" and methods "n/total".
proved() {
    sed -n 's|.*; \([0-9]*\) of \([0-9]*\) fields race-unsafe; \([0-9]*\) of \([0-9]*\) methods unproved.*|\1/\2 \3/\4|p' \
        "$work/logs/$1.analyze"
}

# Sites that a mode checked in a kernel, "n/total", from the summary of one of its results.
sites() {
    cat "$work/results/$1.$2".*.jsonl 2>/dev/null |
        sed -n 's|.*"instrumented_sites":\([0-9]*\),"total_sites":\([0-9]*\).*|\1/\2|p' | head -n 1
}

cpu_ratio() {
    awk -v k="$1" -v m="$2" '$1 == k && $2 == m { print $3 }' "$work/ratios"
}

# What the plan left to check, and what share of full mode's cost that took away: 1 - (combined - 1) / (full - 1), of CPU.
print_plans() {
    local kernel mode counts fields methods full combined
    printf '\n%-14s %14s %14s' 'plan' 'unsafe fields' 'untyped meth.'
    for mode in $modes; do is_agent_mode "$mode" && printf ' %14s' "$mode sites"; done
    printf ' %14s\n' 'cost removed'
    : >"$work/removed"
    for kernel in "${kernels[@]}"; do
        [ "$kernel" != Hello ] && [ -s "$work/logs/$kernel.analyze" ] || continue
        read -r fields methods <<<"$(proved "$kernel")"
        printf '%-14s %14s %14s' "$kernel" "${fields:--}" "${methods:--}"
        for mode in $modes; do
            is_agent_mode "$mode" || continue
            counts=$(sites "$kernel" "$mode")
            printf ' %14s' "${counts:--}"
        done
        full=$(cpu_ratio "$kernel" full) combined=$(cpu_ratio "$kernel" combined)
        if [ -n "$full" ] && [ -n "$combined" ]; then
            awk -v f="$full" -v c="$combined" 'BEGIN {
                if (f > 1.05) { share = 100 * (1 - (c - 1) / (f - 1)); printf " %13.0f%%", share; print share >>"'"$work/removed"'" }
                else printf " %14s", "-"
                print (c > f + 0.05 ? "  slower than full" : "")
            }'
        else
            printf ' %14s\n' -
        fi
    done
    [ ! -s "$work/removed" ] || sort -n "$work/removed" | awk '
        { v[NR] = $1 } END { printf "%-14s median %.0f%%, least %.0f%%\n", "cost removed:", (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2, v[1] }'
}

# The demands on the CPU ratios of whole runs, and whether they are met.
print_targets() {
    awk '
        function median(v, n,    i, j, t) {
            for (i = 2; i <= n; i++) {
                t = v[i]
                for (j = i - 1; j > 0 && v[j] > t; j--) v[j + 1] = v[j]
                v[j + 1] = t
            }
            return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
        }
        function say(met, what) { printf "%s  %s\n", met ? "met   " : "MISSED", what }
        $2 == "full" { full[$1] = $3; fulls[++nf] = $3 }
        $2 == "combined" { combined[$1] = $3; all[++n] = $3 }
        END {
            print ""
            for (k in combined) {
                if (combined[k] > 2) high = high sprintf(" %s %.2f", k, combined[k])
                if (!(k in full)) continue
                cost += full[k] - 1; rest += combined[k] - 1
                if (combined[k] > full[k] + 0.05) slow = slow sprintf(" %s %.2f/%.2f", k, combined[k], full[k])
            }
            if (nf) { f = median(fulls, nf); say(f <= 2.5, sprintf("full, median at most 2.5: %.2f", f)) }
            if (!n) exit
            c = median(all, n)
            say(c <= 1.10, sprintf("combined, median at most 1.10: %.2f", c))
            say(high == "", "combined, no kernel above 2:" (high == "" ? " none" : high))
            if (cost <= 0) exit
            say(rest <= 0.1 * cost, sprintf("at least 90%% of the cost of full removed: %.0f%% over all kernels", 100 * (1 - rest / cost)))
            say(slow == "", "combined never slower than full:" (slow == "" ? " never" : slow))
        }' "$work/ratios"
}

# Confirmed races of all runs of a kernel in one mode as "kind field" lines, sorted.
confirmed() {
    "$race" report --format json --fail-on none "$work/results/$1.$2".*.jsonl |
        jq -r '.races[] | select(.verdict == "confirmed") | .kind + " " + .field' | sort -u
}

print_verify() {
    command -v jq >/dev/null || die "--verify needs jq" 1
    local kernel mode expected found
    for kernel in "${kernels[@]}"; do
        expected=$(sed -n 's|^// race: ||p' "$here/kernels/$kernel.java" | sort -u)
        for mode in $modes; do
            is_agent_mode "$mode" && [ -z "${broken[$kernel.$mode]+set}" ] || continue
            if ! found=$(set -o pipefail; confirmed "$kernel" "$mode"); then
                echo "races: $kernel, mode $mode: no report"
            elif [ "$found" != "$expected" ]; then
                echo "races: $kernel, mode $mode: expected '${expected:-none}', confirmed '${found:-none}'" | tr '\n' ';'
                echo
            else
                echo "races: $kernel, mode $mode: as documented (${expected:-none})"
            fi
        done
    done
}

{
    print_header
    print_table
    [[ ! $modes =~ field|method|combined ]] || print_plans
    [[ ! $modes =~ full|combined ]] || print_targets
    for key in "${!broken[@]}"; do
        echo "FAILED $key: ${broken[$key]}"
    done
    [ $verify = 0 ] || print_verify
} >"$work/table"
cat "$work/table"
if [ -n "$out" ]; then
    mkdir -p "$(dirname "$out")"
    cp "$work/table" "$out" || failed=1
fi
grep -qE '^FAILED|^races: .*(no report|expected )' "$work/table" && failed=1
exit $failed
