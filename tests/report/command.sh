#!/usr/bin/env bash
# `race report` as a command: exit codes, error lines, hiding, and no partial output.
# usage: command.sh RACE MAKE
set -uo pipefail

race=$1 make=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
"$make" . 60 || exit 1
checks=0 bad=0

fail() {
    bad=$((bad + 1))
    echo "FAILED: $*"
    head -n 20 err out
}

# expect CODE WORDS...: runs `race report WORDS`; the output is in out, the messages in err.
expect() {
    local code=$1
    shift
    checks=$((checks + 1))
    "$race" report "$@" >out 2>err </dev/null
    local got=$?
    ((got == code)) || fail "race report $*: exit code $got, expected $code"
}

# error CODE REGEX WORDS...: fails with one line on stderr that matches, and prints nothing.
error() {
    local code=$1 regex=$2
    shift 2
    expect "$code" "$@"
    [[ $(wc -l <err) -eq 1 && ! -s out ]] || fail "race report $*: not just one line of error"
    grep -qE -- "$regex" err || fail "race report $*: the error does not match $regex"
}

# shows REGEX [COUNT]: so many lines of the last output match (at least one without COUNT).
shows() {
    checks=$((checks + 1))
    local got
    got=$(grep -cE -- "$1" out)
    if [[ $# -gt 1 ]]; then ((got == $2)); else ((got > 0)); fi || fail "$got lines match $1, expected ${2:-some}"
}

both=(--plan app.plan run1.jsonl run2.jsonl)

# What is printed, and what it means for the exit code.
expect 66 "${both[@]}"
shows '^DATA RACE R[0-9]+: confirmed, field p0\.C0\.f0$' 1
shows '^DATA RACE ' 11 # ten of the plan, one that it misses
shows '^POSSIBLE RACE R[0-9]+: predicted' 10
shows 'the static half did not warn of it' 1
shows '^ordered ' 10
shows '^race: 40 of 60 warnings exercised: 11 confirmed, 10 predicted, 10 ordered, 10 apart, 10 half, 10 unexercised$' 1
shows $'\033' 0 # no colour in a file
expect 66 "${both[@]}" --source src
shows '^ +[0-9]+ \| .*this\.f0 = v' 1
shows '^ +\| +\^$'
expect 66 run1.jsonl
shows '^race: 11 confirmed$' 1
expect 0 "${both[@]}" --fail-on none
expect 66 "${both[@]}" --fail-on predicted
expect 66 "${both[@]}" --fail-on any --all
shows '^(DATA|POSSIBLE) RACE ' 61

# Of many that no run confirmed the first are shown, and how many there are besides; what was confirmed is all there.
"$make" many 900 || exit 1
many=(--plan many/app.plan many/run1.jsonl many/run2.jsonl)
expect 66 "${many[@]}"
shows '^DATA RACE ' 151
shows '^POSSIBLE RACE ' 100
shows '^\.\.\. and 50 more possible races in 50 blocks \(--all shows them' 1
expect 66 "${many[@]}" --all
shows '^\.\.\. and' 0

# The strongest verdict of all runs counts: run 2 alone predicts.
expect 66 --plan app.plan run1.jsonl
shows '^race: .* 11 confirmed, 20 ordered' 1
expect 66 --plan app.plan run2.jsonl
shows '^race: .* 10 confirmed, 10 predicted, 10 ordered' 1

# Suppressions.
cat >known.supp <<'END'
# counters may be off by a few
race:p0.C0.f0
race:p*.C*.put
race:nobody.Uses.this
END
expect 0 "${both[@]}" --suppress known.supp
shows '^suppressed +R[0-9]+ +p0\.C0\.f0 \(confirmed\), by race:p0\.C0\.f0 \(known\.supp:2\): counters may be off by a few$' 1
shows 'unused suppression: known\.supp:4: race:nobody\.Uses\.this' 1
shows 'hidden: 61 suppressed' 1
printf 'race:p0.C0.f0\nrace p1\n' >bad.supp
error 65 '^race: bad\.supp: line 2: ' "${both[@]}" --suppress bad.supp
error 65 '^race: none\.supp: cannot open' "${both[@]}" --suppress none.supp

# Benign idioms are listed, named and can be switched off.
expect 0 --list-benign
shows '^hash-cache '
sed 's/"put"/"hashCode"/; s/"get"/"hashCode"/; s/(I)V/()I/; s/\.f0"/.hash"/' run1.jsonl | head -n 2 >hash.jsonl
expect 0 hash.jsonl
shows '^benign .*, by hash-cache$' 1
expect 66 hash.jsonl --benign-off hash-cache
expect 66 hash.jsonl --benign-off all
error 64 'no idiom is called "hash-cash"' hash.jsonl --benign-off hash-cash

# A baseline: what it has is not news, wherever the lines have moved to.
expect 66 "${both[@]}" --format json -o old.json
sed 's/"line":[0-9]*/"line":77/g; s/lambda$main$0/lambda$main$8/g' run1.jsonl >moved.jsonl
expect 0 moved.jsonl --baseline old.json
shows 'hidden: 0 suppressed, 0 benign, 11 in the baseline' 1
sed '2s/\.f0"/.fresh"/' moved.jsonl >news.jsonl
expect 66 news.jsonl --baseline old.json
shows '^DATA RACE R[0-9]+: confirmed, field p0\.C0\.fresh' 1
shows '^DATA RACE ' 1
error 65 '^race: run1\.jsonl: .*--format json' run1.jsonl --baseline run1.jsonl
error 65 '^race: none\.json: cannot open the baseline' run1.jsonl --baseline none.json

# Input that is missing, damaged or of another plan.
error 64 'the agent did not run' --plan app.plan
error 65 '^race: none\.jsonl: .*the agent did not run' none.jsonl
: >empty.jsonl
error 65 '^race: empty\.jsonl: is empty: the agent did not start' empty.jsonl
error 65 '^race: app\.plan: line 1: ' app.plan
error 65 '^race: old\.json: line 1: .*is this a result file' old.json
error 65 '^race: none\.plan: cannot open the plan' --plan none.plan run1.jsonl
head -c 1000 app.plan >cut.plan
error 65 '^race: cut\.plan: line [0-9]+: .*truncated' --plan cut.plan run1.jsonl
sed 's/^race-plan\t3$/race-plan\t9/' app.plan >new.plan
error 65 '^race: new\.plan: line 1: plan format 9' --plan new.plan run1.jsonl
sed 's/^meta\tentry.*/meta\tentry\tother/' app.plan >edited.plan
error 65 '^race: edited\.plan: line [0-9]+: the digest differs' --plan edited.plan run1.jsonl
mkdir other && "$make" other 30
error 65 '^race: run1\.jsonl: was recorded with another plan' --plan other/app.plan run1.jsonl
{ head -n 3 run1.jsonl && printf '{"type":"race","fie'; } >killed.jsonl
expect 66 killed.jsonl
shows 'note: killed\.jsonl: the last line is cut off' 1
{ head -n 2 run1.jsonl && echo '{"type":"race","fie' && tail -n 1 run1.jsonl; } >damaged.jsonl
error 65 '^race: damaged\.jsonl: line 3: ' damaged.jsonl

# No partial or leftover output, whatever happens.
echo precious >kept.json
error 65 'none\.jsonl' run1.jsonl none.jsonl --format json -o kept.json
[[ $(<kept.json) == precious ]] || fail 'an error overwrote the old report'
error 1 '^race: nowhere/x\.json: cannot write the report' run1.jsonl --format json -o nowhere/x.json
ls -A >files
grep -E '\.(json|html)\.' files && fail 'a temporary file is left'

# Locks and names that the run could not tell are not taken for none.
sed -E '/"type":"race"/s/"locks":\[[^]]*\]/"locks":[],"locks_known":false/g; /"type":"race"/s/"name":"[^"]*"/"name":null/g' \
    run1.jsonl >vague.jsonl
expect 66 vague.jsonl
shows 'its locks are not known any more'
shows 'holding no lock' 0
shows 'by an unnamed thread:'
expect 66 vague.jsonl --format json
shows '"locks_known": ?false'

# Colour on a terminal only, and never against NO_COLOR.
if command -v script >/dev/null; then
    checks=$((checks + 2))
    TERM=xterm script -qec "'$race' report run1.jsonl" /dev/null >out </dev/null
    grep -q $'\033\[1;31m' out || fail 'no colour on a terminal'
    NO_COLOR=1 TERM=xterm script -qec "'$race' report run1.jsonl" /dev/null >out </dev/null
    grep -qE $'\033\\[[0-9;]*m' out && fail 'colour in spite of NO_COLOR'
fi

echo "$checks checks, $bad failed"
((bad == 0))
