#!/usr/bin/env bash
# librace.so is loaded into other people's processes: it exports its entry points and nothing else.
# usage: run.sh LIBRARY
set -euo pipefail

exported=$(nm -D --defined-only "$1" | awk '{print $3}' | sed 's/@.*//' | sort)
others=$(grep -vxE 'Agent_On(Load|UnLoad|Unload|Attach)' <<<"$exported" || true)
if [[ -n $others ]]; then
    echo "$1 also exports:" $others
    exit 1
fi
grep -qx Agent_OnLoad <<<"$exported" || { echo "$1 does not export Agent_OnLoad" && exit 1; }
echo "exports" $exported
