#!/usr/bin/env bash
# JSON by jq, SARIF by the rules of its schema, JUnit XML by xmllint, GitHub commands by the runner's grammar.
# usage: formats.sh RACE MAKE
set -uo pipefail

race=$1 make=$2
here=$(cd "$(dirname "$0")" && pwd)
for tool in jq xmllint; do
    command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed" && exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
"$make" . 60 || exit 1
echo 'race:p1.C36.f36' >one.supp
checks=0 bad=0

# make_report FORMAT WORDS...: into out.FORMAT; there are races, so the exit code is 66.
make_report() {
    local format=$1
    shift
    "$race" report --format "$format" -o "out.$format" "$@"
    [[ $? -eq 66 ]] || { bad=$((bad + 1)) && echo "FAILED: race report --format $format: wrong exit code"; }
}

check() { # WHAT COMMAND...
    local what=$1
    shift
    checks=$((checks + 1))
    "$@" >log 2>&1 && return
    bad=$((bad + 1))
    echo "FAILED: $what"
    head -n 20 log
}

all=(--plan app.plan run1.jsonl run2.jsonl --source src --suppress one.supp)

make_report json "${all[@]}"
json() { check "json: $1" jq -e "$1" out.json; }
json '.tool == "race" and (.version | test("^[0-9]+\\.[0-9]+"))'
json '.summary | .confirmed == 10 and .predicted == 10 and .ordered == 10 and .apart == 10 and .half == 10
      and .unexercised == 10 and .static_warnings == 60 and .instrumented_sites == 120 and .total_sites == 540
      and .skipped_classes == 2 and .suppressed == 1'
json '.summary.funnel | keys_unsorted == ["original","reachable","aliasing","escaping","parallel","unlocked","ultimate"]'
json '.races | length == 60 and ([.[].id] | unique | length) == 60'
json '[.races[] | select(.static == false)] | length == 1 and .[0].verdict == "confirmed"'
json 'all(.races[]; .accesses | length == 2)'
json 'all(.races[]; .fingerprint | test("^v1:[0-9a-f]{16}$"))'
json 'all(.races[].accesses[]; (.access | IN("read", "write")) and (.line > 0) and (.stack | length > 0)
      and (.stack[0] | test("^p[0-9]\\.C[0-9]+\\.(put|get)\\(C[0-9]+\\.java:[0-9]+\\)$")) and (.locks | type) == "array"
      and (.thread | has("name") and has("created")))'
json '.races[0] | .field == "p0.C0.f0" and .count == 2 and .kind == "instance" and (.why | length > 20)'
json '[.races[].verdict] == ([.races[].verdict] | sort_by({confirmed:0, predicted:1, ordered:2, apart:3, half:4,
      unexercised:5}[.]))'
json '.races[] | select(.field == "p2.C2.f2") | .evidence | .met == 12 and .ordered.lock == 8 and .lock == "p0.Lock"'
json '.hidden | length == 1 and .[0].hidden == "suppressed"'

make_report sarif "${all[@]}"
check 'sarif: rules of the schema' jq -e -f "$here/sarif.jq" out.sarif
sarif() { check "sarif: $1" jq -e ".runs[0] | $1" out.sarif; }
sarif '.results | length == 61'
sarif '[.results[] | select(.suppressions)] | length == 1'
sarif '. as $run | all(.results[]; .ruleId == $run.tool.driver.rules[.ruleIndex].id)'
sarif 'all(.results[]; .properties.precision == {confirmed:"very-high", predicted:"high"}[.properties.verdict] // "low")'
# The race that the plan misses is in a class without sources.
sarif '[.results[].locations[0].physicalLocation.artifactLocation.uri] | all(test("^(src/)?p[0-9]/C[0-9]+\\.java$"))
       and (map(select(startswith("src/") | not)) | length) == 1'
sarif 'all(.results[]; (.codeFlows | length) == 1 and (.codeFlows[0].threadFlows | length) == 2)'
sarif 'all(.results[]; .relatedLocations | length == 1)'
sarif 'all(.tool.driver.rules[]; (.help.text | length) > 50)'
# The rules can fail: each of these damages one thing.
for damage in 'del(.version)' '.runs[0].results[0].level = "bad"' '.runs[0].results[0].odd = 1' \
    'del(.runs[0].results[0].message)' '.runs[0].results[0].locations[0].physicalLocation.region.startLine = 0' \
    '.runs[0].results[0].codeFlows[0].threadFlows[0].locations = []' '.runs[0].tool.driver.rules[0].id = 7'; do
    jq "$damage" out.sarif >damaged.sarif
    check "sarif: the rules accept $damage" bash -c "! jq -e -f '$here/sarif.jq' damaged.sarif"
done

# More than a service takes: the strongest stay, and the file says what is missing.  By lines, since jq would take long.
"$make" many 26000 && make_report sarif --plan many/app.plan many/run1.jsonl
check 'sarif: the strongest results stay' test "$(grep -c '^{"ruleId":"race/confirmed"' out.sarif)" = 4335
check 'sarif: no more results than the limit' test "$(grep -c '^{"ruleId":' out.sarif)" = 25000
check 'sarif: says what is left out' grep -q '"text":"1001 weaker warnings' out.sarif

make_report junit "${all[@]}" --fail-on predicted
check 'junit: well-formed' xmllint --noout out.junit
junit() { check "junit: $1" test "$(xmllint --xpath "$1" out.junit)" = "$2"; }
junit 'count(//testcase)' 60
junit 'count(//failure)' 20
junit 'count(//skipped)' 20
junit 'string(/testsuites/testsuite/@tests)' 60
junit 'string(/testsuites/testsuite/@failures)' 20
junit 'string(/testsuites/testsuite/@skipped)' 20
junit 'string((//testcase)[1]/@classname)' p0.C0
junit 'contains((//failure)[1], "at p0.C0.put(C0.java:4)")' true
junit 'contains((//failure)[1], "reader <x>-0")' true
"$race" report --format junit run2.jsonl --suppress <(echo 'race:*') -o out.junit
junit 'count(//testcase[not(*)])' 1

make_report github "${all[@]}"
check 'github: every line is a command' bash -c "! grep -vE '^::(error|warning|notice) ([a-z]+=[^:,]*)(,[a-z]+=[^:,]*)*::.+' out.github"
github() { check "github: $1" test "$(grep -cE "$1" out.github)" = "$2"; }
github '^::error file=(src/)?p[0-9]/C[0-9]+\.java,line=[0-9]+,title=Data race on p[0-9]\.C[0-9]+\.f[0-9]+::write in ' 10
github '^::warning ' 10
github '^::notice title=race::10 confirmed, 10 predicted, 10 ordered' 1
github '%0Aread in p0\.C0\.get\(C0\.java:7\) by thread reader <x>-0%0A' 1

echo "$checks checks, $bad failed"
((bad == 0))
