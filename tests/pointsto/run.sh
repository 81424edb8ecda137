#!/bin/bash
# Soundness and precision of the points-to plug-ins, one program each.
#
# Methods call Mark.ran(), which prints their name.  Each program is run; every method that ran must be reachable
# in the analysis, and no method named dead* may be: those would be reached only if objects got mixed up that
# the analysis is meant to keep apart.
# usage: run.sh RACE [PROGRAM...]
set -u
race=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
javac -g -nowarn -d "$work/classes" "$here"/programs/*.java 2>"$work/javac" || { cat "$work/javac"; exit 1; }
cp -r "$here/programs/META-INF" "$here/programs/names.properties" "$work/classes/"
checks=0 failed=0

fail() {
    echo "FAILED: $*"
    failed=$((failed + 1))
}

# The methods that edges of the call graph lead to, as Class.method.
reachable() { # program
    "$race" dump callgraph -cp "$work/classes" -m "$1" -k 1 | sed -n 's/.* -> .*\] \([^ (]*\)(.*/\1/p' | sort -u
}

check_program() {
    local program=$1
    timeout 60 java -cp "$work/classes" "$program" >"$work/out" 2>"$work/err" || fail "$program does not run: $(cat "$work/err")"
    reachable "$program" >"$work/reachable"
    sed -n 's/^ran //p' "$work/out" | sort -u >"$work/ran"
    [ -s "$work/ran" ] || fail "$program: nothing ran"
    while read -r method; do
        checks=$((checks + 1))
        grep -q -x -F -e "$method" "$work/reachable" || fail "$program: $method ran but is not reachable"
    done <"$work/ran"
    if grep -E '\.dead[A-Z]' "$work/reachable" >"$work/dead"; then
        fail "$program: reachable by mixing objects: $(tr '\n' ' ' <"$work/dead")"
    fi
    checks=$((checks + 1))
}

if [ $# -eq 0 ]; then
    set -- Starts Lambdas Threads Pools Privileged Natives Atomics Reflections Names Proxies Services Serials \
        Handles Finals Containers Generated Results
fi
for program in "$@"; do check_program "$program"; done
# A finalizer that does nothing makes no thread.
"$race" dump threads -cp "$work/classes" -m Finals -k 1 >"$work/threads"
grep -q 'Old\.finalize' "$work/threads" || fail "no thread of a finalizer"
if grep 'Idle\.finalize' "$work/threads"; then fail "a thread of a finalizer that does nothing"; fi
checks=$((checks + 2))
checks=$((checks + 1))
"$race" dump gaps -cp "$work/classes" -m Names -k 1 | grep -q -x '3 reflective calls got the 5 classes named in resources' ||
    fail "Names: the calls that got classes of resources are not counted"
# Names in an element of the class path are for the code that the element has or uses.
for element in plugin stranger; do
    javac -g -nowarn -cp "$work/classes" -d "$work/$element" "$here/beside/$element"/*.java || fail "$element does not compile"
    cp "$here/beside/$element"/*.properties "$work/$element/"
done
"$race" dump callgraph -cp "$work/classes:$work/plugin:$work/stranger" -m Names -k 1 >"$work/beside"
grep -q 'Plugin.Backup.live' "$work/beside" || fail "Names: a class that a plug-in's resource names is not reachable"
if grep 'Stranger.Pool' "$work/beside"; then fail "Names: reachable by a resource of code that knows nothing of the caller"; fi
checks=$((checks + 2))
echo "$checks checks, $failed failed"
[ "$failed" -eq 0 ] && [ "$checks" -gt 0 ]
