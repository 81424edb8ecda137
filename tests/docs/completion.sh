#!/usr/bin/env bash
# The completion script, loaded and asked as bash asks it.
# usage: completion.sh RACE
set -uo pipefail

race=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir classes
touch app.jar app.plan race-1.jsonl race-2.jsonl
checks=0 bad=0

"$race" help --completion bash >race.bash || exit 1
bash -n race.bash || exit 1
source ./race.bash
complete -p race | grep -q -- '-F _race race' || { echo "race has no completion" && exit 1; }

# expect ANSWERS WORDS...: what the last word may become, in any order.
expect() {
    local want=$1 got
    shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    checks=$((checks + 1))
    _race
    got=$(printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' ')
    want=$(tr ' ' '\n' <<<"$want" | sort | tr '\n' ' ')
    [[ $got == "$want" ]] && return
    bad=$((bad + 1))
    printf 'FAILED: %s\n  got:  %s\n  want: %s\n' "$*" "$got" "$want"
}

expect 'analyze run report check dump help --help --version' race ''
expect 'report' race rep
expect '--version' race --v
expect 'analyze run report check dump' race help ''
expect 'check' race help ch
expect '--format' race report --form
expect '--fail-on' race check --fa
expect '--main' race analyze --ma
expect 'text json sarif html github junit' race report --format ''
expect 'json junit' race report --format j
expect 'json junit' race report --format = j
expect 'text json sarif html github junit' race report --format =
expect 'confirmed' race report --fail-on c
expect 'full field method combined discover' race run --mode ''
expect 'on off' race run --history ''
expect 'app.jar app.plan' race report --plan app
expect 'app.jar app.plan' race run -o app
expect 'race-1.jsonl race-2.jsonl' race report --plan app.plan race-
expect 'classes' race check --jdk cl
expect 'app.jar app.plan' race analyze -cp app
expect 'classes' race analyze -cp app.jar : cl
expect 'classes' race analyze -cp app.jar : lib.jar : cl
expect 'app.jar app.plan classes race-1.jsonl race-2.jsonl race.bash' race analyze -cp app.jar :
expect '' race analyze --entry ''
expect 'classes callgraph cfg' race dump c
expect '--max-memory --mode' race run --plan app.plan --m
expect 'app.jar app.plan' race check -cp classes -m Main -- app
expect '' race nosuch ''
# Every command's options, against the help, so that none is forgotten.
for command in analyze run report check dump; do
    for option in $("$race" help "$command" | sed -n 's/^  \(--[a-z-]*\).*/\1/p'); do
        COMP_WORDS=(race "$command" "$option") COMP_CWORD=2 COMPREPLY=()
        checks=$((checks + 1))
        _race
        [[ " ${COMPREPLY[*]} " == *" $option "* ]] || { bad=$((bad + 1)) && echo "FAILED: $command lacks $option"; }
    done
done
# Behind -- comes the program.
COMP_WORDS=(race run -- jav) COMP_CWORD=3 COMPREPLY=()
_race
[[ " ${COMPREPLY[*]} " == *' java '* ]] || { bad=$((bad + 1)) && echo "FAILED: run -- jav does not offer java"; }

echo "$checks checks, $bad failed"
((bad == 0))
