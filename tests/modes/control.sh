#!/usr/bin/env bash
# That run.sh finds what it looks for: with a plan that lost a race, the modes that believe it must be told to differ,
# also when what they met and saw ordered is no difference (--known).
# usage: control.sh DAMAGE BUILD_DIR
set -euo pipefail
damage=$1 build=$2
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp)
trap 'rm -f "$out"' EXIT

# control DAMAGE... MODES: the modes that must lack a race, and no others.
control() {
    local modes=${*: -1} told
    set -- "${@:1:$#-1}"
    if bash "$here/run.sh" --sets samples --only bank --runs 1 --again 1 --known /dev/null --damage "$damage PLAN $*" "$build" >"$out" 2>&1; then
        echo "a plan without $* passes"
        exit 1
    fi
    told=$(sed -n 's/^DIFFERS bank: not in mode \([a-z]*\): instance bank.Bank.fees: .*/\1/p' "$out" | sort -u | xargs)
    [[ $told == "$modes" ]] && ! grep -q BROKEN "$out" && return
    echo "a plan without $*: races of bank.Bank.fees are missing in \"$told\", expected \"$modes\":"
    cat "$out"
    exit 1
}

control field bank.Bank.fees "combined field method"
# The method stays unproved, so that method mode checks all of it.
control site 1 "combined field"
control site 2 "combined field"
echo "three damaged plans, each found out"
