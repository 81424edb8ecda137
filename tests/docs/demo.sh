#!/usr/bin/env bash
# The demo, the first thing that README.md asks a reader to run, shows a confirmed race.
# usage: demo.sh SOURCE_DIR
set -uo pipefail

out=$(mktemp)
trap 'rm -f "$out"' EXIT
"$1/samples/demo" >"$out" 2>&1 </dev/null
code=$?
((code == 0)) || { echo "exit code $code" && tail -n 20 "$out" && exit 1; }
grep -q '^DATA RACE R1: confirmed, field bank.Bank.fees$' "$out" || { echo "no race shown" && tail -n 40 "$out" && exit 1; }
"$1/samples/demo" nosuch >"$out" 2>&1 </dev/null
code=$?
((code == 64)) && [[ $(wc -l <"$out") == 1 ]] || { echo "a wrong sample: exit code $code" && cat "$out" && exit 1; }
