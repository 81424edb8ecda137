#!/usr/bin/env bash
# The command line: exit codes, the one error line, suggestions and help.
# usage: run.sh RACE
set -uo pipefail

race=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
checks=0 bad=0

fail() {
    bad=$((bad + 1))
    printf 'FAILED: race %s\n  %s\n' "$words" "$1"
    sed 's/^/  stderr: /' err
}

# expect CODE REGEX WORDS...: the exit code, and on stderr exactly one line that matches (none if REGEX is empty).
expect() {
    local code=$1 regex=$2 got lines
    shift 2
    words=$* checks=$((checks + 1))
    "$race" "$@" >out 2>err </dev/null
    got=$?
    lines=$(wc -l <err)
    if ((got != code)); then fail "exit code $got, expected $code"; return; fi
    if [[ -z $regex ]]; then
        ((lines == 0)) || fail "stderr should be empty"
    elif ((lines != 1)) || ! grep -qE "$regex" err; then
        fail "expected one line that matches $regex"
    fi
}

# wrong REGEX WORDS...: a wrong usage, which must be answered with that one line and exit code 64.
wrong=0
wrong() {
    wrong=$((wrong + 1))
    expect 64 "^race: $1" "${@:2}"
}

# printed REGEX: the last command printed such a line on stdout.
printed() {
    grep -qE -- "$1" out || fail "stdout lacks a line that matches $1"
}

expect 0 '' --version
printed '^race [0-9]+\.[0-9]+\.[0-9]+$'
expect 0 '' help
for command in analyze run report check dump; do
    expect 0 '' help
    printed "^  $command "
    expect 0 '' help "$command"
    printed "^usage: race $command "
    expect 0 '' "$command" --help
    printed "^usage: race $command "
done

# Commands and help.
wrong 'no command given; see `race help`$'
wrong 'no command given; see `race help`$' ''
wrong 'unknown command analize; did you mean analyze\?$' analize -cp x
wrong 'unknown command chekc; did you mean check\?$' chekc
wrong 'unknown command frobnicate; see `race help`$' frobnicate
wrong 'unknown option --versoin' --versoin
wrong 'unknown option --; see `race help`$' --
wrong '--version stands alone' --version now
wrong 'unknown command nosuch' help nosuch
wrong 'unknown command reprot; did you mean report\?$' help reprot
wrong 'help explains one command at a time' help run report
wrong 'unknown command nosuch' help --man nosuch
wrong 'name the shell: help --completion bash' help --completion zsh

# What every command has from the parser of options.
wrong 'analyze: unknown option --foramt; did you mean --format\?$' analyze --foramt json
wrong 'check: unknown option --mian; did you mean --main\?$' check --mian=X
wrong 'report: unknown option --xyzzy; see `race help report`$' report --xyzzy
wrong 'analyze: option -cp takes its value as the next word' analyze -cp=x -m Main
wrong "analyze: option --format: 'yaml' is none of text\|json\|sarif\|html" analyze --format yaml
wrong "analyze: option --format: 'xml'" analyze --format=xml
wrong "report: option --fail-on: 'all' is none of confirmed\|predicted\|any\|none" report --fail-on all x.jsonl
wrong 'analyze: option -k needs auto\|1\|2\|3' analyze -cp . -k
wrong "analyze: option -k: '9' is none of auto\|1\|2\|3" analyze -cp . -m Main -k 9
wrong 'analyze: option -cp needs PATH' analyze -cp '' -m Main
wrong 'check: option --baseline needs FILE' check -cp . -m Main --baseline
wrong 'report: option --plan needs FILE' report x.jsonl --plan=
wrong 'check: there is no -jar: give -cp FILE.jar, and the Main-Class' check -jar app.jar
wrong 'analyze: there is no -jar' analyze -jar app.jar -m Main
wrong 'analyze: option --quiet takes no value' analyze --quiet=yes
wrong 'analyze: option --entry needs CLASS.METHOD' analyze -cp . --entry -- x

# Each command's own rules.
wrong 'analyze: give the program.s class path with -cp PATH' analyze -m Main
wrong 'analyze: say where the program starts' analyze -cp .
wrong 'analyze: unexpected word extra' analyze -cp . -m Main extra
wrong 'analyze: there is nothing to come after --' analyze -cp . -m Main -- java
wrong '--without luck: use aliasing, escaping, parallel or unlocked' analyze -cp . -m Main --without luck
wrong 'report: .*result file.*the agent did not run' report
wrong 'report: there is nothing to come after --' report x.jsonl -- y.jsonl
wrong 'report: --list-benign reads no result file' report --list-benign x.jsonl
wrong 'check: give the program.s class path' check -m Main
wrong 'check: say which class to run' check -cp .
wrong 'check: unexpected word one' check -cp . -m Main one two
wrong 'run: put the program.s command after --' run --mode full
wrong 'run: put the program.s command after --' run --
wrong "run: option --mode: 'fast' is none of full\|field" run --mode fast -- java X
wrong 'run: --mode field needs --plan FILE' run --mode field -- java X
wrong 'run: unexpected word java; put -- before' run java X
wrong 'run: option (--out|-o): the agent cannot take a comma' run -o a,b -- java X
wrong 'run: no `java` among the words after --.*add -agentpath:.*librace.so' run -- mvn test
wrong 'dump: say what to print: classes, ir or cfg' dump
wrong 'dump: say what to print' dump clases -cp .
wrong 'dump: give -cp PATH, a class, or' dump ir
wrong 'dump: unexpected word b' dump ir -cp . a b
wrong 'dump: give -m MAIN, --entry' dump callgraph -cp .
wrong "dump: option -k: '7' is none of 0\|1" dump ir -k 7 -cp .

# What only the agent can judge, in the JVM but before the program.
if [[ -e $(dirname "$race")/agent/librace.so ]]; then
    wrong "unknown agent option 'nokey'" run nokey=1 -- java X
    wrong "agent option 'exitcode': bad value '999'" run --exitcode 999 -- java X
    wrong "agent option 'max_memory': bad value 'lots'" run --max-memory lots -- java X
    wrong "agent option 'mode': bad value 'fast'" run mode=fast -- java X
fi

echo "$checks checks, $wrong of them wrong usages, $bad failed"
((bad == 0 && wrong >= 50))
