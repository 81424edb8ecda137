#!/usr/bin/env bash
# The progress line: on a terminal it names the stage, moves while one stage runs and is wiped at the end; elsewhere
# there is not a byte of it.
# usage: progress.sh RACE
set -uo pipefail

race=$1
command -v script >/dev/null || { echo "skipped: script(1) is not installed" && exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
checks=0 bad=0
cat >Main.java <<'JAVA'
public class Main {
    static int n;
    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> n++);
        a.start();
        n++;
        a.join();
    }
}
JAVA
javac -d classes Main.java || exit 1

# on_terminal WORDS...: what a terminal gets; stdout goes to a file.
on_terminal() {
    TERM=xterm script -qec "'$race' $* >out" /dev/null </dev/null | tr '\r' '\n' >screen
}

check() { # WHAT COMMAND...
    local what=$1
    shift
    checks=$((checks + 1))
    "$@" && return
    bad=$((bad + 1))
    echo "FAILED: $what"
    head -n 20 screen | cat -v
}

erase=$'\033\\[K'
wiped() { [[ $(grep . screen | tail -n 1) == $'\033[K' ]]; }
times() { [[ $(sed -n "s/^$erase$1  *\([0-9.]*\) s\$/\1/p" screen | sort -u | wc -l) -ge $2 ]]; }

on_terminal analyze -cp classes -m Main -o app.plan
check 'a percentage while classes are read' grep -qE "^${erase}reading classes [0-9]+% \([0-9]+ of [0-9]+\)  [0-9.]+ s$" screen
check 'the time moves during points-to' times 'points-to analysis' 2
check 'the race stage is named' times 'looking for races' 1
check 'the line is wiped' wiped
on_terminal analyze --quiet -cp classes -m Main
check 'nothing with --quiet' test ! -s screen

"$race" run --plan app.plan -o run.jsonl --report off -- java -cp classes Main >log 2>&1
for _ in 1 2 3; do cp run.jsonl "run$_.jsonl"; done
on_terminal report --plan app.plan run.jsonl run1.jsonl run2.jsonl run3.jsonl
check 'reading results is shown in percent' grep -qE "^${erase}reading results: kB [0-9]+% " screen
check 'the line of a report is wiped' wiped

checks=$((checks + 1))
"$race" analyze -cp classes -m Main >out 2>err
[[ ! -s err ]] || { bad=$((bad + 1)) && echo "FAILED: progress without a terminal" && cat -v err; }
echo "$checks checks, $bad failed"
((bad == 0))
