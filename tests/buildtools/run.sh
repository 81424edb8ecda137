#!/usr/bin/env bash
# samples/junit under the real Maven and Gradle, with and without JaCoCo and a plan: just the race of the sample is
# reported, with its test, and the coverage is measured as well.
# usage: run.sh SOURCE_DIR RACE LIBRACE
set -uo pipefail

sample=$1/samples/junit race=$2 library=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0 bad=0 skipped=0

fail() {
    bad=$((bad + 1))
    echo "FAILED: $case: $1"
    tail -n 15 log
}

skip() {
    skipped=$((skipped + 1))
    echo "SKIPPED: $1"
}

# judge STATIC RESULT_FOLDER: only shop.Stock.sold has raced, in its test; STATIC says whether the plan has it.
judge() {
    local static=$1 folder=$2 plan=() code
    [[ $static == true ]] && plan=(--plan tests.plan)
    "$race" report ${plan[@]+"${plan[@]}"} "$folder"/race-*.jsonl --format json >report.json 2>log
    code=$?
    ((code == 66)) || { fail "race report: exit code $code" && return; }
    jq -e --argjson static "$static" '
        ([.races[] | select(.verdict == "confirmed") | [.field, .test, .static]] | unique) ==
            [["shop.Stock.sold", "shop.StockTest.clerksSellTogether", $static]]
        and .summary.stale_classes == 0' report.json >/dev/null || {
        fail "the report is not as expected"
        jq -c '.summary, (.races[] | [.verdict, .field, .test, .static])' report.json | head -n 20
        return
    }
    passed=$((passed + 1))
    echo "ok $case"
}

# measured FILE: JaCoCo was there and has seen the class.
measured() {
    grep -qa 'shop/Stock' "$1" || fail "JaCoCo has measured nothing"
}

# reachable COMMAND...: whether the build tool gets what it needs; the reason is in log.
reachable() {
    timeout 420 "$@" >log 2>&1
}

# ---- Maven ----

maven() {
    rm -rf target/race-*.jsonl target/jacoco.exec
    timeout 300 mvn -q -B -o test -Drace.library="$library" "$@" >log 2>&1 || fail "mvn test: exit code $?"
}

run_maven() {
    command -v mvn >/dev/null || { skip "Maven is not installed" && return; }
    cp -r "$sample" maven && cd maven || exit 1
    reachable mvn -q -B test -Pcoverage -DskipTests && reachable mvn -q -B test -Pcoverage -Drace.library="$library" &&
        reachable mvn -q -B dependency:build-classpath -Dmdep.outputFile=path ||
        { skip "Maven cannot get its plug-ins: $(grep -m 1 ERROR log)" && cd .. && return; }
    "$race" analyze --tests -cp "target/test-classes:target/classes:$(<path)" -o tests.plan >log 2>&1 ||
        fail "race analyze --tests: exit code $?"
    case='Maven' && maven && judge false target
    case='Maven and a plan' && maven -Drace.options="plan=$PWD/tests.plan," && judge true target
    case='Maven and JaCoCo' && maven -Pcoverage && judge false target && measured target/jacoco.exec
    case='Maven, JaCoCo and a plan' && maven -Pcoverage -Drace.options="plan=$PWD/tests.plan," && judge true target &&
        measured target/jacoco.exec
    # The trap: without the empty property nobody defines @{argLine}, and the JVM takes it for a file.
    case='Maven and the trap'
    sed -i '/<argLine><\/argLine>/d' pom.xml
    mvn -q -B -o test -Drace.library="$library" >log 2>&1 && fail "the trap that README.md warns of is none"
    grep -q 'argLine}' log target/surefire-reports/* 2>/dev/null || fail "the trap does not show as README.md says"
    cd ..
}

# ---- Gradle ----

# Gradle before 4.6 does not know JUnit 5 (Debian's is one): the same test in the words of JUnit 4.
to_junit4() {
    sed -i 's/org\.junit\.jupiter\.api\.Assertions/org.junit.Assert/; s/org\.junit\.jupiter\.api/org.junit/; s/BeforeEach/Before/g
        s/^class/public class/; s/^    void/    public void/' src/test/java/shop/StockTest.java
    sed -i "s/'org.junit.jupiter:junit-jupiter:.*'/'junit:junit:4.13.2'/; /junit-platform-launcher/d; /useJUnitPlatform/d" build.gradle
}

gradle_test() {
    rm -rf build/race-*.jsonl build/jacoco
    timeout 300 gradle --no-daemon -q test -Prace.library="$library" "$@" >log 2>&1 || fail "gradle test: exit code $?"
}

run_gradle() {
    local version
    command -v gradle >/dev/null || { skip "Gradle is not installed" && return; }
    cp -r "$sample" gradle && cd gradle || exit 1
    version=$(gradle --version 2>/dev/null | sed -n 's/^Gradle //p')
    if [[ $(printf '%s\n4.6\n' "$version" | sort -V | head -n 1) != 4.6 ]]; then to_junit4; fi
    reachable gradle --no-daemon -q testClasses ||
        { skip "Gradle cannot get what it needs: $(grep -m 1 -A 2 'went wrong' log | tail -n 1)" && cd .. && return; }
    "$race" analyze --tests -cp "$(find build/classes -type d -path '*java/*' -prune | tr '\n' ':')$(
        find ~/.gradle/caches -name '*.jar' -path '*junit*' | tr '\n' ':')" -o tests.plan >log 2>&1 ||
        fail "race analyze --tests: exit code $?"
    case="Gradle $version and JaCoCo" && gradle_test && judge false build && measured build/jacoco/test.exec
    case="Gradle $version, JaCoCo and a plan" && gradle_test -Prace.options="plan=$PWD/tests.plan," && judge true build &&
        measured build/jacoco/test.exec
    cd ..
}

case=setup
run_maven
run_gradle
echo "$passed passed, $bad failed, $skipped skipped"
((bad == 0)) || exit 1
((passed > 0)) || exit 77
