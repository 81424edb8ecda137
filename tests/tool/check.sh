#!/usr/bin/env bash
# `race check` does the whole job on a program with one race and on one without.
# usage: check.sh RACE
set -uo pipefail

race=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export TMPDIR=$work/tmp
mkdir tmp
bad=0

cat >Racy.java <<'JAVA'
public class Racy {
    static int shared;
    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> { for (int i = 0; i < 1000; i++) shared++; });
        Thread b = new Thread(() -> { for (int i = 0; i < 1000; i++) shared++; });
        a.start(); b.start(); a.join(); b.join();
        System.out.println("done " + String.join(" ", args));
    }
}
JAVA
cat >Clean.java <<'JAVA'
public class Clean {
    static int shared;
    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> { synchronized (Clean.class) { shared++; } });
        a.start();
        synchronized (Clean.class) { shared++; }
        a.join();
        System.exit(args.length > 0 ? Integer.parseInt(args[0]) : 0);
    }
}
JAVA
javac -d classes Racy.java Clean.java || exit 1

# expect CODE WORDS...: the exit code, and nothing left in the temporary directory.
expect() {
    local code=$1 got
    shift
    "$race" "$@" >out 2>err </dev/null
    got=$?
    [[ -z $(ls -A tmp) ]] || { echo "race $*: left $(ls tmp)" && bad=1; }
    ((got == code)) && return
    echo "race $*: exit code $got, expected $code" && cat err && bad=1
}

# has JQ-CONDITION: of the JSON on stdout.
has() {
    jq -e "$1" out >/dev/null || { echo "the report is not so: $1" && head -c 2000 out && bad=1; }
}

expect 66 check -cp classes -m Racy --format json -- one two
has '.tool == "race" and .summary.confirmed >= 1'
has '[.races[] | select(.verdict == "confirmed") | .field] | unique == ["Racy.shared"]'
grep -q '^done one two$' err || { echo "the program did not get its arguments" && bad=1; }
expect 0 check -cp classes -m Racy --fail-on none -o report.txt
grep -q 'Racy.shared' report.txt || { echo "no report in the file" && bad=1; }
expect 0 check -cp classes -m Clean --format json
has '.summary.confirmed == 0'
expect 3 check -cp classes -m Clean -- 3
expect 65 check -cp classes -m Nobody
expect 65 check -cp nowhere.jar -m Racy
# What the report will need is looked for before the program runs.
for option in --suppress --baseline --source; do
    expect 65 check -cp classes -m Racy "$option" nowhere
    [[ $(<err) == 'race: nowhere: cannot open the '* && ! -s out ]] || { echo "check $option nowhere: $(head -n 2 err out)" && bad=1; }
done
# Awkward folders: blanks and commas in the path, also in that of temporary files.
mkdir -p 'a b,c/tmp' && cp -r classes 'a b,c'
TMPDIR=$PWD/'a b,c/tmp' expect 66 check -cp 'a b,c/classes' -m Racy
# Whoever ends `race check` ends the program, gets the report, and nothing is left.
cat >Waits.java <<'JAVA'
public class Waits {
    static int shared;
    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> shared++), b = new Thread(() -> shared++);
        a.start(); b.start(); a.join(); b.join();
        System.out.println(ProcessHandle.current().pid());
        Thread.sleep(100_000);
    }
}
JAVA
javac -d classes Waits.java || exit 1
for signal in TERM HUP INT; do
    : >out
    # A shell lets its background commands ignore an interrupt; timeout does not.
    timeout --foreground --preserve-status -k 5 -s "$signal" 60 "$race" check -cp classes -m Waits --format json -o report.json >out 2>err </dev/null &
    timer=$!
    for ((i = 0; i < 300; i++)); do grep -q . err && grep -qE '^[0-9]+$' err out && break; sleep 0.1; done
    program=$(grep -hE '^[0-9]+$' err out) checker=$(pgrep -P "$timer")
    kill -"$signal" "$checker"
    wait "$timer"
    got=$?
    ((got == 66)) || { echo "race check, ended by $signal: exit code $got, expected 66" && cat err && bad=1; }
    kill -0 "$program" 2>/dev/null && { echo "race check, ended by $signal: the program runs on" && kill -KILL "$program" && bad=1; }
    [[ -z $(ls -A tmp) ]] || { echo "race check, ended by $signal: left $(ls tmp)" && bad=1; }
    jq -e '.summary.confirmed >= 1' report.json >/dev/null || { echo "race check, ended by $signal: no report" && bad=1; }
    rm -f report.json
done
# Who reads only the first line leaves nothing behind.
"$race" analyze -cp classes -m Racy | head -n 1 >/dev/null
"$race" analyze -cp classes -m Racy --format html | true
[[ -z $(ls -A tmp) ]] || { echo "analyze left $(ls tmp)" && bad=1; }
((bad == 0)) && echo "all as expected"
exit "$bad"
