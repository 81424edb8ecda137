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
library=$(find "$work/moved" -name librace.so)
if [[ -z $library ]]; then
    [[ ! -f $1/agent/librace.so ]] || { echo "librace.so is built but not installed" && exit 1; }
    exit 0
fi
# The installed tool finds the installed agent.
"$race" run -o "$work/result.jsonl" -- java -version >"$work/out" 2>&1 || { cat "$work/out" && exit 1; }
[[ -s $work/result.jsonl ]] || { echo "the agent left no result" && exit 1; }
