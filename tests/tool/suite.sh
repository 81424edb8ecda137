#!/usr/bin/env bash
# `race analyze --tests`: tests of JUnit 3, 4, 5 and TestNG are the program, one after the other, with their fixtures.
# usage: suite.sh RACE
set -uo pipefail

race=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
bad=0
jars=$(printf ':/usr/share/java/%s.jar' junit4 junit-jupiter-api junit-jupiter-params junit-platform-commons apiguardian-api \
    opentest4j testng)
for jar in ${jars//:/ }; do [[ -e $jar ]] || { echo "skipped: $jar is not installed" && exit 77; }; done
javac -nowarn -d classes -cp "$jars" "$here"/suite/*.java 2>err || { cat err && exit 1; }

fail() {
    bad=1
    echo "FAILED: $1"
}

"$race" analyze --tests -cp "classes$jars" -o tests.plan --format json >out.json 2>err || fail "exit code $?: $(cat err)"
want='["suite.Shared.five","suite.Shared.four","suite.Shared.inherited","suite.Shared.instance","suite.Shared.left","suite.Shared.nested","suite.Shared.parameter","suite.Shared.testng","suite.Shared.three"]'
got=$(jq -c '[.races[].field] | unique' out.json)
[[ $got == "$want" ]] || fail "races on $got"
grep -q $'^meta\tentry\tthe tests on the class path$' tests.plan || fail "the plan does not say what was analysed"
# The driver is no part of the program.
! grep -q 'race/Tests' tests.plan || fail "the made-up main program is in the plan"

# Nothing to run is an error, not an empty report.
mkdir empty
"$race" analyze --tests -cp empty >out 2>err
code=$?
((code == 65)) && [[ $(cat err) == 'race: there is no test on the class path'* && ! -s out ]] ||
    fail "no tests: exit code $code, $(cat err)"
((bad == 0)) && echo "all as expected"
exit "$bad"
