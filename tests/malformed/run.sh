#!/usr/bin/env bash
# Every malformed input gives exactly one line `race: FILE: ...what...` on stderr, nothing on stdout, and exit
# code 65.
#
#   run.sh RACE MAKE
set -euo pipefail

race=$(realpath "${1:?usage: run.sh RACE MAKE}")
make=$(realpath "${2:?usage: run.sh RACE MAKE}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

"$make" . >cases
failed=0
total=0
while IFS=$'\t' read -r name argument file pattern; do
    total=$((total + 1))
    status=0
    # shellcheck disable=SC2086  # an argument such as "-cp X" is two words
    timeout 60 "$race" dump classes $argument >out 2>err || status=$?
    problem=
    [ "$status" -eq 65 ] || problem="exit code $status"
    [ "$(wc -l <err)" -eq 1 ] || problem="$problem; $(wc -l <err) lines on stderr"
    [ ! -s out ] || problem="$problem; output on stdout"
    grep -Eq "^race: (\./)?$file: $pattern" err || problem="$problem; line does not match: $file: $pattern"
    if [ -n "$problem" ]; then
        echo "FAILED $name: $problem"
        head -5 err
        failed=$((failed + 1))
    else
        echo "ok $name: $(cat err)"
    fi
done <cases

echo "$((total - failed)) of $total malformed inputs reported as they should be"
[ "$total" -ge 20 ] && [ "$failed" -eq 0 ]
