#!/usr/bin/env bash
# `cmake --install` gives a tree that works from any place.
# usage: install.sh BUILD_DIR
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$1" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/moved"
race=$work/moved/bin/race
"$race" --version
[[ -n $("$race" help) ]]
for page in race.1 race-{analyze,run,report,check,dump}.1; do
    [[ -s $work/moved/share/man/man1/$page ]] || { echo "$page is not installed" && exit 1; }
done
bash -n "$work/moved/share/bash-completion/completions/race"
library=$(find "$work/moved" -name librace.so)
if [[ -z $library ]]; then
    [[ ! -f $1/agent/librace.so ]] || { echo "librace.so is built but not installed" && exit 1; }
    exit 0
fi
[[ -s $work/moved/share/man/man7/race-agent.7 ]] || { echo "race-agent.7 is not installed" && exit 1; }
# The installed tool finds the installed agent.
"$race" run -o "$work/result.jsonl" -- java -version >"$work/out" 2>&1 || { cat "$work/out" && exit 1; }
[[ -s $work/result.jsonl ]] || { echo "the agent left no result" && exit 1; }
