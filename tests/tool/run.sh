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

# printed REGEX: the last command printed such a line on stdout.
printed() {
    grep -qE -- "$1" out || fail "stdout lacks a line that matches $1"
}

expect 0 '' --version
printed '^race [0-9]+\.[0-9]+\.[0-9]+$'
expect 64 '^race: no command given; see `race help`$'
expect 64 '^race: unknown command analize; did you mean analyze\?$' analize -cp x
expect 64 '^race: unknown command frobnicate; see `race help`$' frobnicate
expect 64 '^race: unknown option --versoin' --versoin
expect 64 '^race: unknown command nosuch' help nosuch
expect 0 '' help
for command in analyze run report check dump; do
    expect 0 '' help
    printed "^  $command "
    expect 0 '' help "$command"
    printed "^usage: race $command "
    expect 0 '' "$command" --help
    printed "^usage: race $command "
done

expect 64 '^race: analyze: unknown option --foramt; did you mean --format\?$' analyze --foramt json
expect 64 "^race: analyze: option --format: 'yaml' is none of text\|json\|sarif\|html" analyze --format yaml
expect 64 "^race: analyze: option --format: 'xml'" analyze --format=xml
expect 64 '^race: analyze: option -k needs auto\|1\|2\|3' analyze -cp . -k
expect 64 '^race: analyze: option --quiet takes no value' analyze --quiet=yes
expect 64 '^race: analyze: give the program.s class path with -cp PATH' analyze -m Main
expect 64 '^race: analyze: say where the program starts' analyze -cp .
expect 64 '^race: analyze: unexpected word extra' analyze -cp . -m Main extra
expect 64 '^race: analyze: there is nothing to come after --' analyze -cp . -m Main -- java
expect 64 '^race: report: .*result file' report
expect 64 '^race: check: say which class to run' check -cp .
expect 64 '^race: run: put the program.s command after --' run --mode full
expect 64 "^race: run: option --mode: 'fast' is none of full\|field" run --mode fast -- java X
expect 64 '^race: run: unexpected word java; put -- before' run java X
expect 64 '^race: run: option --out: the agent cannot take a comma|^race: run: option -o: the agent' run -o a,b -- java X
expect 64 '^race: dump: say what to print: classes, ir or cfg' dump
expect 64 '^race: dump: say what to print' dump clases -cp .

echo "$checks checks, $bad failed"
((bad == 0))
